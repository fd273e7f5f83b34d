#include "mirrorball/atoms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mirrorball/score.h"
#include "score/slow_scores.h"

namespace mirrorball {
namespace {

/// Rain of a hundred days: none in 40, 5 mm in two, the others differ.
std::vector<double> rain() {
  std::vector<double> days(40, 0.0);
  days.insert(days.end(), {5, 5});
  for (int i = 0; i < 58; ++i) days.push_back(0.2 + 0.3 * i + (i == 16 ? 0.01 : 0));
  std::sort(days.begin(), days.end());
  return days;
}

TEST(Atoms, AreValuesThatManyTrainingTargetsShare) {
  const Atoms atoms{rain()};
  ASSERT_EQ(atoms.all().size(), 1u) << "two days of 5 mm are chance";
  EXPECT_EQ(atoms.all()[0].value, 0);
  EXPECT_DOUBLE_EQ(atoms.all()[0].low, -0.1) << "at the end of the range the cell is symmetric";
  EXPECT_DOUBLE_EQ(atoms.all()[0].high, 0.1) << "half way to the next value";
  EXPECT_DOUBLE_EQ(atoms.all()[0].share, 40 / 101.0);
  EXPECT_DOUBLE_EQ(atoms.rest(), 61 / 101.0);
  EXPECT_EQ(atoms.find(0.05), &atoms.all()[0]);
  EXPECT_EQ(atoms.find(0.15), nullptr);
  EXPECT_EQ(atoms.find(-1), nullptr);
}

TEST(Atoms, OfAFewValuesAllAreOnes) {
  std::vector<double> few(60, 0.0);
  few.insert(few.end(), 30, 10.0);
  few.insert(few.end(), 10, 20.0);
  const Atoms atoms(few);
  ASSERT_EQ(atoms.all().size(), 3u);
  EXPECT_EQ(atoms.all()[1].low, 5);
  EXPECT_EQ(atoms.all()[2].high, 25);
}

TEST(Atoms, RoundedAndConstantTargetsHaveNone) {
  std::vector<double> rounded;
  for (int i = 0; i < 10; ++i) rounded.insert(rounded.end(), 10, i);
  EXPECT_TRUE(Atoms(rounded).empty());
  EXPECT_TRUE(Atoms(std::vector<double>(50, 3.0)).empty());
  EXPECT_TRUE(Atoms(std::vector<double>{}).empty());
}

TEST(AtomsNll, ProbabilitiesAddUpToOne) {
  const Atoms atoms{rain()};
  std::vector<double> samples(30, 0.0);
  for (const double value : slow::normals(70, 1, 8, 1)) samples.push_back(value);
  double sum = std::exp(-nll(samples, 0, atoms));
  const double step = 1e-3;
  for (double y = 0.1 + step / 2; y < 17.3; y += step) sum += step * std::exp(-nll(samples, y, atoms));
  EXPECT_NEAR(sum, 1, 0.01);
  EXPECT_NEAR(nll(samples, 0, atoms), -std::log((30 + 40 / 101.0) / 101), 1e-12);
}

TEST(AtomsNll, IsFiniteWhereAllSamplesAreAlike) {
  const Atoms atoms{rain()};
  const std::vector<double> dry(500, 0.0), wet(500, 9.0);
  EXPECT_NEAR(nll(dry, 0, atoms), 0, 0.01);
  EXPECT_LT(nll(dry, 17, atoms), 12);
  EXPECT_LT(nll(wet, 0, atoms), 8);
  EXPECT_LT(nll(wet, 9, atoms), 0) << "a density";
  EXPECT_GT(kde_nll(dry, std::vector{17.0}), 1e9);
}

TEST(AtomsNll, WithoutAtomsItIsTheKernelEstimate) {
  const std::vector<double> samples = slow::normals(50, 2);
  EXPECT_EQ(nll(samples, 0.3, {}), kde_nll(samples, std::vector{0.3}));
}

TEST(AtomsNll, AScorerTakesThemFromTheForecast) {
  Predictive forecast(2, 4, {"y"});
  EXPECT_EQ(score(forecast, std::vector{0.0, 3.0}).targets[0].nll_floored, 2u);
  forecast.set_atoms(0, Atoms{rain()});
  const TargetScores scores = score(forecast, std::vector{0.0, 3.0}).targets[0];
  EXPECT_EQ(scores.nll_floored, 0u);
  EXPECT_NEAR(scores.nll.mean,
              (nll(forecast.row_samples(0), 0, forecast.atoms()) +
               nll(forecast.row_samples(1), 3, forecast.atoms())) /
                  2,
              1e-12);
}

}  // namespace
}  // namespace mirrorball
