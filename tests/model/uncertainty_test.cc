#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mirrorball/model.h"
#include "mirrorball/plan.h"
#include "model/toy.h"

namespace mirrorball {
namespace {

/// Sorted samples of the first row that come from one source.
std::vector<double> samples_of(const Predictive& forecast, std::uint32_t source) {
  std::vector<double> own;
  for (std::size_t i = 0; i < forecast.samples(); ++i)
    if (forecast.sources()[i] == source) own.push_back(forecast.row_samples(0)[i]);
  std::sort(own.begin(), own.end());
  return own;
}

std::size_t count_of(const Predictive& forecast, std::uint32_t source) {
  return static_cast<std::size_t>(std::ranges::count(forecast.sources(), source));
}

/// y follows sin 3a + ab with some noise; a and b are uniform in [-1, 1], but not both above 0.
Table table_with_a_hole(std::size_t rows) {
  Stream random(3, Purpose::kTest);
  std::vector<double> a, b, y;
  while (a.size() < rows) {
    const double one = 2 * random.uniform_double() - 1, other = 2 * random.uniform_double() - 1;
    if (one > 0 && other > 0) continue;
    a.push_back(one);
    b.push_back(other);
    y.push_back(std::sin(3 * one) + one * other + 0.1 * random.normal());
  }
  Table made;
  made.add_numbers("a", a);
  made.add_numbers("b", b);
  made.add_numbers("y", y);
  return made;
}

Options small_ensemble() {
  Options options = toy::options();
  options.networks = 4;
  options.forest = options.gaussian_process = 0;
  return options;
}

// The first of two networks is the single network of a model of one: same seed, same weights, same noise.
TEST(ModelUncertainty, SourcesAreTheNetworksThatMadeTheSamples) {
  const Table test = toy::table(1, 2);
  const Roles roles{{"y"}, "", {"weight", "z"}};
  Options options = toy::options();
  options.epochs = 2;
  options.calibrate = Calibrate::kNone;
  const Model two = fit(toy::table(200), roles, options);
  options.networks = 1;
  const Model one = fit(toy::table(200), roles, options);
  const Predictive of_two = two.predict(test, {100, 5}), of_one = one.predict(test, {50, 5});
  EXPECT_EQ(count_of(of_two, 0), 50u);
  EXPECT_EQ(count_of(of_two, 1), 50u);
  EXPECT_EQ(samples_of(of_two, 0), samples_of(of_one, 0));
  EXPECT_NE(samples_of(of_two, 1), samples_of(of_one, 0));
  EXPECT_EQ(of_one.uncertainty(0).variance.epistemic, 0);
  EXPECT_EQ(of_one.uncertainty(0).expected_crps.epistemic, 0);
  EXPECT_GT(of_one.uncertainty(0).expected_crps.aleatoric, 0);
  EXPECT_GT(of_two.uncertainty(0).expected_crps.epistemic, 0);
}

TEST(ModelUncertainty, ForestAndProcessAreTheLastSources) {
  const Table test = toy::table(20, 2);
  Options options = toy::options();
  options.epochs = 2;  // poor networks: the others get a large weight
  const Model model = fit(toy::table(400), {{"y"}, "", {"weight", "z"}}, options);
  const Calibration& calibration = model.calibration()[0];
  ASSERT_GT(calibration.forest_weight + calibration.process_weight, 0.05);
  EXPECT_EQ(model.sources(),
            2u + (calibration.forest_weight > 0 ? 1 : 0) + (calibration.process_weight > 0 ? 1 : 0));
  const Predictive forecast = model.predict(test, {1000});
  EXPECT_EQ(count_of(forecast, 2), static_cast<std::size_t>(std::llround(1000 * calibration.forest_weight)));
  EXPECT_EQ(count_of(forecast, 3), static_cast<std::size_t>(std::llround(1000 * calibration.process_weight)));
  EXPECT_LE(std::max(count_of(forecast, 0), count_of(forecast, 1)) -
                std::min(count_of(forecast, 0), count_of(forecast, 1)),
            1u);
  for (std::size_t row = 0; row < test.rows(); ++row) {
    const Uncertainty found = forecast.uncertainty(row);
    const double variance = forecast.sd(row) * forecast.sd(row);
    EXPECT_NEAR(found.variance.aleatoric + found.variance.epistemic, variance, 1e-12 * variance);
    EXPECT_NEAR(found.expected_crps.aleatoric + found.expected_crps.epistemic, found.expected_crps.total,
                1e-12 * found.expected_crps.total);
  }
}

TEST(ModelUncertainty, NetworksWithoutNoiseOnlyDisagree) {
  Options options = small_ensemble();
  options.architecture = Network::kPoint;
  options.epochs = 2;
  const Model model = fit(table_with_a_hole(200), {{"y"}, "", {}}, options);
  const Uncertainty found = model.predict(model.typical_rows(1)).uncertainty(0);
  EXPECT_EQ(found.variance.aleatoric, 0);
  EXPECT_EQ(found.expected_crps.aleatoric, 0);
  EXPECT_GT(found.variance.epistemic, 0);
}

TEST(ModelUncertainty, NetworksDisagreeWhereThereWereNoRows) {
  const Model model = fit(table_with_a_hole(800), {{"y"}, "", {}}, small_ensemble());
  const std::vector<double> at = {-0.9, -0.7, -0.5, -0.3, 0.3, 0.5, 0.7, 0.9};
  Table grid;
  std::vector<double> a, b;
  for (const double one : at)
    for (const double other : at) {
      a.push_back(one);
      b.push_back(other);
    }
  grid.add_numbers("a", a);
  grid.add_numbers("b", b);
  const Predictive forecast = model.predict(grid, {400});
  UncertaintyParts with_rows, without;  // sums of the expected CRPS; three times as many points have rows
  for (std::size_t i = 0; i < a.size(); ++i) {
    const UncertaintyParts found = forecast.uncertainty(i).expected_crps;
    UncertaintyParts& sum = a[i] > 0 && b[i] > 0 ? without : with_rows;
    sum.aleatoric += found.aleatoric;
    sum.epistemic += found.epistemic;
  }
  EXPECT_GT(without.epistemic, with_rows.epistemic);  // three times as much a point
  EXPECT_GT(without.epistemic / without.aleatoric, 2 * with_rows.epistemic / with_rows.aleatoric);
}

}  // namespace
}  // namespace mirrorball
