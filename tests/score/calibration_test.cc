#include "score/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "score/chance.h"

namespace mirrorball {
namespace {

using Verdict = CalibrationCheck::Verdict;
using Shape = CalibrationCheck::Shape;

/// Standard normal forecasts, and outcomes that `outcome` makes of random numbers.
template <class Outcome>
CalibrationCheck checked(std::size_t rows, const Outcome& outcome, std::size_t samples = 199) {
  Predictive forecast(rows, samples, {"y"});
  std::vector<double> observed(rows);
  Stream random(5, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < samples; ++i) forecast.row_samples(row)[i] = random.normal();
    observed[row] = outcome(random);
  }
  return score(forecast, observed).targets[0].calibration;
}

TEST(Calibration, ARightForecastIsCalled) {
  const CalibrationCheck check = checked(3000, [](Stream& random) { return random.normal(); });
  EXPECT_EQ(check.verdict, Verdict::kCalibrated) << check.words;
  EXPECT_TRUE(check.shapes.empty());
  EXPECT_LT(check.largest, 0.03);
  EXPECT_EQ(check.levels.size(), 99u);
  EXPECT_TRUE(check.words.starts_with("Calibrated: ")) << check.words;
  EXPECT_EQ(check.words.find("different values"), std::string::npos) << "no ties, no words about them";
}

/// Forecasts that are 11 deviations too high cover nothing, and yet are not too narrow.
TEST(Calibration, PureBiasIsBias) {
  for (const double shift : {-0.4, -2.0, -11.43}) {
    const CalibrationCheck check = checked(1287, [&](Stream& random) { return random.normal() + shift; });
    EXPECT_EQ(check.verdict, Verdict::kOff);
    EXPECT_EQ(check.shapes, std::vector{Shape::kTooHigh}) << check.words;
    EXPECT_TRUE(check.words.starts_with("Biased: ")) << check.words;
    EXPECT_EQ(check.words.find("narrow"), std::string::npos) << check.words;
  }
  EXPECT_EQ(checked(1000, [](Stream& random) { return random.normal() + 1; }).shapes,
            std::vector{Shape::kTooLow});
}

// A tenth of the outcomes far below, the others a little above: the mean is too high, the median too low.
TEST(Calibration, WordsOfBiasDoNotContradictIt) {
  const CalibrationCheck check = checked(
      2000, [](Stream& random) { return random.normal() + (random.uniform_double() < 0.1 ? -5 : 0.2); });
  ASSERT_TRUE(check.bias < 0 && check.below_median < 0.5) << check.bias << " " << check.below_median;
  EXPECT_NE(check.words.find("forecasts are too high, outcomes lie"), std::string::npos) << check.words;
}

TEST(Calibration, WordsComeFromTheShape) {
  EXPECT_EQ(checked(2000, [](Stream& random) { return 1.5 * random.normal(); }).shapes,
            std::vector{Shape::kTooNarrow});
  EXPECT_EQ(checked(2000, [](Stream& random) { return 0.6 * random.normal(); }).shapes,
            std::vector{Shape::kTooWide});
  // Some of the outcomes far out, the others closer in than they should be.
  EXPECT_EQ(
      checked(4000,
              [](Stream& random) { return (random.uniform_double() < 0.15 ? 3.5 : 0.8) * random.normal(); })
          .shapes,
      std::vector{Shape::kTailsTooLight});
  EXPECT_EQ(checked(3000, [](Stream& random) { return 1.8 * random.normal() + 0.8; }).shapes,
            (std::vector{Shape::kTooLow, Shape::kTooNarrow}));
}

TEST(Calibration, TheIntervalQuotedShowsTheShape) {
  // Too wide in the middle, right in the tails: the 90% intervals would contradict the verdict.
  const CalibrationCheck check = checked(20000, [](Stream& random) {
    const double z = random.normal();
    return std::fabs(z) < 1.3 ? 0.8 * z : z;
  });
  ASSERT_EQ(check.shapes, std::vector{Shape::kTooWide}) << check.words;
  EXPECT_LT(std::fabs(check.ninety.coverage - check.ninety.mass), 0.01);
  EXPECT_NE(check.words.find("the 50% intervals cover"), std::string::npos) << check.words;
  EXPECT_EQ(check.words.find("the 90% intervals cover"), std::string::npos) << check.words;
}

TEST(Calibration, TheSizeComesBeforeTheSignificance) {
  const auto nearly = [](Stream& random) { return 1.08 * random.normal(); };
  const CalibrationCheck many = checked(30000, nearly, 99);
  EXPECT_EQ(many.verdict, Verdict::kNearly) << many.words;
  EXPECT_EQ(many.shapes, std::vector{Shape::kTooNarrow});
  EXPECT_TRUE(many.words.starts_with("Nearly calibrated: ")) << many.words;
  const CalibrationCheck few = checked(60, nearly);
  EXPECT_EQ(few.verdict, Verdict::kCalibrated);
  EXPECT_NE(few.words.find("cannot be detected"), std::string::npos) << few.words;
}

/// Three values, predicted rightly: closed intervals hold more than their level, and that is as it should be.
TEST(Calibration, TiesDoNoHarm) {
  constexpr std::size_t kRows = 2000, kSamples = 100;
  Predictive forecast(kRows, kSamples, {"y"});
  std::vector<double> observed(kRows);
  Stream random(4, Purpose::kTest);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < kSamples; ++i) forecast.row_samples(row)[i] = i < 20 ? 1 : i < 60 ? 2 : 5;
    const double u = random.uniform_double();
    observed[row] = u < 0.2 ? 1 : u < 0.6 ? 2 : 5;
  }
  const TargetScores scores = score(forecast, observed).targets[0];
  EXPECT_EQ(scores.calibration.verdict, Verdict::kCalibrated) << scores.calibration.words;
  EXPECT_EQ(scores.calibration.values, 3u);
  EXPECT_NEAR(scores.intervals[0].mass, 0.8, 1e-12) << "from 2 to 5";
  EXPECT_NEAR(scores.intervals[0].coverage, scores.intervals[0].mass, 0.03);
  EXPECT_EQ(scores.intervals[1].mass, 1);
  EXPECT_EQ(scores.intervals[1].coverage, 1);
  EXPECT_LT(scores.qice, 0.02);
  EXPECT_NE(scores.calibration.words.find("take 3 different values"), std::string::npos);
}

TEST(Calibration, ASingleNumberIsNoDistribution) {
  const TargetScores scores = score(Predictive(50, 10, {"y"}), std::vector<double>(50, 0.0)).targets[0];
  EXPECT_EQ(scores.calibration.verdict, Verdict::kPoint);
}

/// Of 400 calibrated forecasts about 20 may leave the band.
TEST(Calibration, TheBandHoldsAllLevelsTogether) {
  for (const std::size_t rows : {50, 400}) {
    int outside = 0;
    for (std::uint32_t trial = 0; trial < 400; ++trial) {
      Stream random(7, Purpose::kTest, trial, static_cast<std::uint32_t>(rows));
      scoring::CheckedRows checked;
      for (std::size_t row = 0; row < rows; ++row) checked.pit.push_back(random.uniform_double());
      checked.observed = checked.pit;
      outside += scoring::check_calibration(std::move(checked)).verdict != Verdict::kCalibrated;
    }
    EXPECT_LE(outside, 36) << rows;
    EXPECT_GE(outside, 4) << rows;
  }
}

TEST(Calibration, ChanceBandIsTheBinomialOne) {
  // Of ten rows with probability 1/2: P(K <= 1) = 0.011 and P(K <= 2) = 0.055.
  const scoring::Band half = scoring::chance_band(10, 0.5);
  EXPECT_DOUBLE_EQ(half.low, 0.2);
  EXPECT_DOUBLE_EQ(half.high, 0.8);
  const scoring::Band many = scoring::chance_band(10000, 0.9);
  EXPECT_NEAR(many.low, 0.9 - 1.96 * 0.003, 2e-4);
  EXPECT_NEAR(many.high, 0.9 + 1.96 * 0.003, 2e-4);
  EXPECT_DOUBLE_EQ(scoring::chance_band(3, 0.9).high, 1.0);
  const scoring::Band million = scoring::chance_band(1'000'000, 0.01);
  EXPECT_NEAR(million.high, 0.01 + 1.96 * std::sqrt(0.01 * 0.99 / 1e6), 1e-6);
}

}  // namespace
}  // namespace mirrorball
