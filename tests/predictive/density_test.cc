#include "mirrorball/density.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "mirrorball/predictive.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

using Json = nlohmann::json;

/// Computed from the rule by make_density_cases.py; Python and the pages are held to the same numbers.
const Json& density_cases() {
  static const Json cases = Json::parse(std::ifstream(
      std::filesystem::path(MIRRORBALL_SAVED_MODELS).replace_filename("predictive") / "density_cases.json"));
  return cases;
}

const Json& density_case(const std::string& name) {
  return *std::find_if(density_cases().begin(), density_cases().end(),
                       [&](const Json& one) { return one["name"] == name; });
}

Limits limits_of(const Json& one) {
  Limits limits;
  if (!one["limits"][0].is_null()) limits.low = one["limits"][0];
  if (!one["limits"][1].is_null()) limits.high = one["limits"][1];
  return limits;
}

double area(const Density::Curve& curve, double below) {
  double sum = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) sum += curve.x[i] < below ? curve.y[i] : 0;
  return sum * (curve.x[1] - curve.x[0]);
}

TEST(Density, IsWhatTheRuleGives) {
  for (const Json& one : density_cases()) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const Density shape(one["samples"].get<std::vector<double>>(), limits_of(one));
    const Density::Curve curve = shape.curve(one["domain"][0], one["domain"][1], one["points"]);
    EXPECT_EQ(shape.bars(), one["bars"].get<bool>());
    EXPECT_NEAR(shape.bandwidth(), one["bandwidth"], 1e-12);
    EXPECT_NEAR(curve.spike_width / one["spike_width"].get<double>(), 1, 1e-12);
    ASSERT_EQ(shape.spikes().size(), one["spikes"].size());
    for (std::size_t i = 0; i < shape.spikes().size(); ++i) {
      EXPECT_EQ(shape.spikes()[i].value, one["spikes"][i][0].get<double>());
      EXPECT_EQ(shape.spikes()[i].share, one["spikes"][i][1].get<double>());
    }
    const auto expected = one["y"].get<std::vector<double>>();
    ASSERT_EQ(curve.y.size(), expected.size());
    if (expected.empty()) continue;
    EXPECT_EQ(curve.x.front(), one["x"][0].get<double>());
    EXPECT_EQ(curve.x.back(), one["x"][1].get<double>());
    const double peak = *std::max_element(expected.begin(), expected.end());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(curve.y[i], expected[i], 1e-6 * peak) << i;
  }
}

TEST(Density, HasNoAreaBelowZeroKelvin) {
  const Json& one = density_case("0 kelvin");
  const auto samples = one["samples"].get<std::vector<double>>();
  EXPECT_NEAR(area(Density(samples).curve(-20, 200, 4000), 0), 0.09, 0.005);
  const Density::Curve limited = Density(samples, limits_of(one)).curve(-20, 200, 4000);
  EXPECT_EQ(area(limited, 0), 0);
  EXPECT_NEAR(area(limited, 200), 1, 0.002);
}

TEST(Density, ShowsACapAsASpike) {
  const Json& one = density_case("24% at the cap");
  const Density shape(one["samples"].get<std::vector<double>>(), limits_of(one));
  ASSERT_EQ(shape.spikes().size(), 1u);
  EXPECT_EQ(shape.spikes()[0].value, 5.00001);
  EXPECT_EQ(shape.spikes()[0].share, 0.24);
  const Density::Curve curve = shape.curve(0, 6, 4000);
  EXPECT_EQ(curve.x.back(), 5.00001);
  EXPECT_NEAR(area(curve, 6), 0.76, 0.002);
}

TEST(Density, ComesWithTheLimitsOfItsForecast) {
  Predictive forecast(1, 4, {"a", "b"});
  for (std::size_t t = 0; t < 2; ++t)
    std::ranges::copy(std::vector{1.0, 2.0, 3.0, 4.5}, forecast.row_samples(0, t).begin());
  forecast.set_limits(1, {0, 3});
  EXPECT_TRUE(std::isinf(forecast.shape(0, 0).limits().high));
  EXPECT_EQ(forecast.shape(0, 1).limits().low, 0);
  EXPECT_EQ(forecast.shape(0, 1).limits().high, 4.5);  // a sample lies there
  EXPECT_EQ(refusal([&] {
              forecast.set_limits(1, {3, 0});
            }),
            "the limits 3 to 0 are not in order: give the lower first");
  EXPECT_EQ(refusal([&] { forecast.set_limits(2, {}); }),
            "target 2 does not exist: the forecast has 2 targets");
}

TEST(Density, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(refusal([] { Density(std::span<const double>()); }), "0 samples: a density needs at least 1");
  const std::vector<double> samples = {1, 2};
  EXPECT_EQ(refusal([&] {
              Density(samples, {2, 1});
            }),
            "the limits 2 to 1 are not in order: give the lower first");
  EXPECT_EQ(refusal([&] { Density(samples).curve(1, 1, 10); }),
            "the drawing goes from 1 to 1: its ends must differ");
  EXPECT_EQ(refusal([&] { Density(samples).curve(1, 2, 1); }), "1 points: a curve needs at least 2");
}

}  // namespace
}  // namespace mirrorball
