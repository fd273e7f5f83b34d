#include "mirrorball/uncertainty.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "mirrorball/predictive.h"
#include "mirrorball/score.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

using Values = std::vector<double>;
using Sources = std::vector<std::uint32_t>;

Predictive one_row(const Values& samples, const Sources& sources) {
  Predictive forecast(1, samples.size(), {"y"});
  std::copy(samples.begin(), samples.end(), forecast.row_samples(0).begin());
  forecast.set_sources(sources);
  return forecast;
}

std::map<std::uint32_t, Values> by_source(const Values& samples, const Sources& sources) {
  std::map<std::uint32_t, Values> parts;
  for (std::size_t i = 0; i < samples.size(); ++i) parts[sources[i]].push_back(samples[i]);
  return parts;
}

// Twins, straight from the definitions.

double mean_of(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double squares_about(const Values& values, double centre) {
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

/// ½ E|X − X'|, by all pairs.
double half_mean_distance(const Values& values) {
  double sum = 0;
  for (const double a : values)
    for (const double b : values) sum += std::abs(a - b);
  return sum / 2 / static_cast<double>(values.size() * values.size());
}

double share_at_most(const Values& values, double y) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [y](double v) { return v <= y; })) /
         static_cast<double>(values.size());
}

/// ∫ (F − G)² dy: both are constant between neighbouring values.
double squared_distance(const Values& f, const Values& g) {
  Values ends = f;
  ends.insert(ends.end(), g.begin(), g.end());
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double gap = share_at_most(f, ends[i]) - share_at_most(g, ends[i]);
    sum += gap * gap * (ends[i + 1] - ends[i]);
  }
  return sum;
}

Uncertainty twin(const Values& samples, const Sources& sources) {
  const double n = static_cast<double>(samples.size()), mean = mean_of(samples);
  Uncertainty found;
  found.variance.total = squares_about(samples, mean) / (n - 1);
  found.expected_crps.total = half_mean_distance(samples);
  for (const auto& [source, own] : by_source(samples, sources)) {
    const double count = static_cast<double>(own.size()), centre = mean_of(own);
    found.variance.aleatoric += squares_about(own, centre) / (n - 1);
    found.variance.epistemic += count * (centre - mean) * (centre - mean) / (n - 1);
    found.expected_crps.aleatoric += count / n * half_mean_distance(own);
    found.expected_crps.epistemic += count / n * squared_distance(own, samples);
  }
  return found;
}

void expect_near(const UncertaintyParts& found, const UncertaintyParts& expected, double tolerance) {
  EXPECT_NEAR(found.total, expected.total, tolerance);
  EXPECT_NEAR(found.aleatoric, expected.aleatoric, tolerance);
  EXPECT_NEAR(found.epistemic, expected.epistemic, tolerance);
  EXPECT_NEAR(found.aleatoric + found.epistemic, found.total, tolerance);
  EXPECT_GE(found.epistemic, 0);
}

// Two sources that say 0 and 2, and 4 and 8: means 1 and 6, together 3.5.
//   squares about the own means 2 and 8, of the means about 3.5 twice 2 · 2.5²
//   half distances ½ · ½ · 2 and ½ · ½ · 4, of all 1/16 (2+4+8 + 2+6 + 4)
TEST(Uncertainty, OfFourSamplesByHand) {
  const Uncertainty found = one_row({0, 4, 2, 8}, {0, 1, 0, 1}).uncertainty(0);
  EXPECT_DOUBLE_EQ(found.variance.total, 35.0 / 3);
  EXPECT_DOUBLE_EQ(found.variance.aleatoric, 10.0 / 3);
  EXPECT_DOUBLE_EQ(found.variance.epistemic, 25.0 / 3);
  EXPECT_DOUBLE_EQ(found.expected_crps.total, 26.0 / 16);
  EXPECT_DOUBLE_EQ(found.expected_crps.aleatoric, 0.75);
  EXPECT_DOUBLE_EQ(found.expected_crps.epistemic, 0.875);
}

TEST(Uncertainty, IsThatOfTheTwin) {
  Stream random(1, Purpose::kTest);
  for (const double offset : {0.0, -3.0, 1e6}) {
    Values samples(120);
    Sources sources(120);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      sources[i] = i % 10 == 0 ? 4 : static_cast<std::uint32_t>(3 * (i % 2));  // of unequal numbers, and gaps
      samples[i] = offset + sources[i] * random.normal() + 0.5 * sources[i];
      if (i % 7 == 0) samples[i] = std::round(samples[i]);  // some repeat
    }
    const Uncertainty found = one_row(samples, sources).uncertainty(0), expected = twin(samples, sources);
    const double tolerance = 1e-12 * (1 + std::abs(offset));
    expect_near(found.variance, expected.variance, tolerance);
    expect_near(found.expected_crps, expected.expected_crps, tolerance);
  }
}

TEST(Uncertainty, TotalsAreThoseOfThePool) {
  const Values samples = {0.25, -1.25, 2.75, 0.5, 0.5, -0.125, 1.875, 3.5};
  const Predictive forecast = one_row(samples, {0, 1, 2, 0, 1, 2, 0, 1});
  const Uncertainty found = forecast.uncertainty(0);
  EXPECT_NEAR(found.variance.total, forecast.sd(0) * forecast.sd(0), 1e-14);
  double expected = 0;  // the CRPS if each sample in turn is the outcome
  for (const double y : samples) expected += crps(samples, y) / static_cast<double>(samples.size());
  EXPECT_NEAR(found.expected_crps.total, expected, 1e-14);
}

TEST(Uncertainty, OfOneSourceIsAleatoric) {
  Stream random(2, Purpose::kTest);
  Values samples(333);
  for (double& sample : samples) sample = 100 + random.normal();
  const Uncertainty found = one_row(samples, Sources(333, 7)).uncertainty(0);
  EXPECT_EQ(found.variance.epistemic, 0);
  EXPECT_EQ(found.expected_crps.epistemic, 0);
  EXPECT_EQ(found.variance.aleatoric, found.variance.total);
  EXPECT_EQ(found.expected_crps.aleatoric, found.expected_crps.total);
  EXPECT_GT(found.variance.total, 0);
}

TEST(Uncertainty, OfOneSampleEachIsEpistemic) {
  const Uncertainty found = one_row({1, 2, 4}, {0, 1, 2}).uncertainty(0);
  EXPECT_EQ(found.variance.aleatoric, 0);
  EXPECT_EQ(found.expected_crps.aleatoric, 0);
  EXPECT_DOUBLE_EQ(found.variance.epistemic, 7.0 / 3);
  EXPECT_DOUBLE_EQ(found.expected_crps.epistemic, 6.0 / 9);
  const Uncertainty single = one_row({5}, {0}).uncertainty(0);
  EXPECT_EQ(single.variance.total, 0);
  EXPECT_EQ(single.expected_crps.total, 0);
}

// Shapes may differ where means agree: the variance does not see it, the expected CRPS does.
TEST(Uncertainty, SourcesWithOneMeanDifferByTheirCrps) {
  const Uncertainty found = one_row({-1, 1, -3, 3}, {0, 0, 1, 1}).uncertainty(0);
  EXPECT_EQ(found.variance.epistemic, 0);
  EXPECT_DOUBLE_EQ(found.expected_crps.epistemic, 0.25);
}

TEST(Uncertainty, RefusesWhatIsNotKnown) {
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  Predictive forecast(1, 3, {"y"});
  says(refusal([&] { forecast.uncertainty(0); }), "set_sources");
  says(refusal([&] { forecast.set_sources({0, 1}); }), "2 sources for 3 samples");
  says(refusal([&] { forecast.set_sources({0, 1, 70000}); }), "source 70000 is out of range");
  forecast.set_sources({0, 1, 1});
  says(refusal([&] { forecast.uncertainty(1); }), "row 1");
  forecast.row_samples(0)[1] = NAN;
  says(refusal([&] { forecast.uncertainty(0); }), "sample 1 of 3");
}

}  // namespace
}  // namespace mirrorball
