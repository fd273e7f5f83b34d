#include "encode/transform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/normal.h"
#include "base/random.h"
#include "encode/moments.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

std::vector<double> skewed(std::size_t count) {
  std::vector<double> values(count);
  Stream random(1, Purpose::kTest);
  for (double& value : values) value = std::exp(2 * random.normal());
  return values;
}

TEST(Transform, QuantileTakesTiesToTheMiddleAndClipsTheEnds) {
  std::vector<double> values = {1, 2, 2, 2, 5};
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kQuantile, values, 1000);
  EXPECT_EQ(transform.knots(), (std::vector<double>{1, 2, 2, 2, 5}));
  EXPECT_NEAR(transform.forward(2), 0, 1e-15);                         // u = (1/4 + 3/4) / 2
  EXPECT_NEAR(transform.forward(3.5), normal_quantile(0.875), 1e-14);  // half way from 3/4 to 1
  EXPECT_NEAR(transform.forward(1), -5.199337582192817, 1e-9);
  EXPECT_NEAR(transform.forward(-100), -5.199337582192817, 1e-9);
  EXPECT_NEAR(transform.forward(100), 5.199337582192817, 1e-9);
}

TEST(Transform, ScoresHaveEndsNearTheirNeighbours) {
  std::vector<double> values = {1, 2, 2, 2, 5};
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kRankit, values, 1000);
  EXPECT_NEAR(transform.forward(2), 0, 1e-15);
  EXPECT_NEAR(transform.forward(1), normal_quantile(0.1), 1e-14);  // half of the first of five steps
  EXPECT_NEAR(transform.forward(-100), normal_quantile(0.1), 1e-14);
  EXPECT_NEAR(transform.forward(3.5), normal_quantile(0.8), 1e-14);  // (3.5 + 0.5) / 5
  EXPECT_EQ(transform.inverse(-9), 1);
  EXPECT_EQ(transform.inverse(9), 5);
  EXPECT_NEAR(transform.inverse(normal_quantile(0.8)), 3.5, 1e-6);
}

TEST(Transform, EvenGoesByTheRangeAndStaysInIt) {
  std::vector<double> values = {2, 3, 4, 5, 6};
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kEven, values, 1000);
  EXPECT_NEAR(transform.forward(4), 0, 1e-15);
  EXPECT_NEAR(transform.forward(6), std::sqrt(3.0), 1e-14);
  EXPECT_EQ(transform.forward(1e9), transform.forward(6));
  EXPECT_EQ(transform.inverse(-40), 2);
  EXPECT_EQ(transform.knots(), (std::vector<double>{2, 3, 4, 5, 6}));
}

TEST(Transform, AutoIsEvenOnlyForEvenColumns) {
  const auto kind = [](auto make, std::size_t count) {
    std::vector<double> values(count);
    Stream random(4, Purpose::kTest);
    for (std::size_t i = 0; i < count; ++i) values[i] = make(i, random);
    return encode::NumberTransform::fit(Transform::kAuto, values, 1000).kind();
  };
  const auto equidistant = [](std::size_t i, Stream&) { return 3.0 + static_cast<double>(i); };
  const auto uniform = [](std::size_t, Stream& random) { return random.uniform_double(); };
  const auto normal = [](std::size_t, Stream& random) { return random.normal(); };
  const auto with_one_far = [](std::size_t i, Stream& random) { return i ? random.uniform_double() : 5.0; };
  const auto weekday = [](std::size_t, Stream& random) { return static_cast<double>(random.below(7)); };
  EXPECT_EQ(kind(equidistant, 100), Transform::kEven);
  EXPECT_EQ(kind(uniform, 5000), Transform::kEven);
  EXPECT_EQ(kind(normal, 5000), Transform::kRankit);
  EXPECT_EQ(kind(with_one_far, 5000), Transform::kRankit);
  EXPECT_EQ(kind(weekday, 5000), Transform::kRankit);
}

TEST(Transform, ExtentIsInDeviations) {
  Stream random(6, Purpose::kTest);
  for (const double far : {-30.0, 0.0, 12.0}) {
    std::vector<double> values = {far};
    for (int i = 0; i < 99; ++i) values.push_back(random.normal());
    double mean = 0, square = 0, most = 0, range = 0;  // by the definition, in two passes
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values) square += (value - mean) * (value - mean);
    for (const double value : values) {
      most = std::max(most, std::fabs(value - mean));
      for (const double other : values) range = std::max(range, value - other);
    }
    const double deviation = std::sqrt(square / static_cast<double>(values.size()));
    const plan::Extent found = encode::extent(values);
    EXPECT_NEAR(found.farthest, most / deviation, 1e-12) << far;
    EXPECT_NEAR(found.range, range / deviation, 1e-12) << far;
  }
  EXPECT_EQ(encode::extent(std::vector<double>{3, 3, 3}).range, 0);
  EXPECT_EQ(encode::extent({}).farthest, 0);
}

/// Local linear regression as `smooth_knots` states it, over all values and from the normal equations.
double slow_smooth_knot(const std::vector<double>& sorted, double probability) {
  const double n = static_cast<double>(sorted.size()), at = normal_quantile(probability),
               width = std::pow(n, -0.2);
  double s[3] = {}, t[2] = {};
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    const double apart = normal_quantile((static_cast<double>(j) + 0.5) / n) - at,
                 weight = std::exp(-std::pow(apart / width, 2) / 2);
    for (int power = 0; power < 3; ++power) s[power] += weight * std::pow(apart, power);
    for (int power = 0; power < 2; ++power) t[power] += weight * std::pow(apart, power) * sorted[j];
  }
  return (s[2] * t[0] - s[1] * t[1]) / (s[0] * s[2] - s[1] * s[1]);
}

TEST(Transform, SmoothGoesByALocalLine) {
  std::vector<double> values = skewed(301);
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kSmooth, values, 1000);
  const std::vector<double>& knots = transform.knots();
  ASSERT_EQ(knots.size(), 301u);
  EXPECT_EQ(knots.front(), values.front());
  EXPECT_EQ(knots.back(), values.back());
  EXPECT_TRUE(std::is_sorted(knots.begin(), knots.end()));
  for (std::size_t k = 15; k < 286; ++k)
    EXPECT_NEAR(knots[k], slow_smooth_knot(values, static_cast<double>(k) / 300), 1e-4 * knots[k]);
  for (const double z : {-2.0, -0.3, 0.0, 1.4}) EXPECT_NEAR(transform.forward(transform.inverse(z)), z, 1e-5);
  EXPECT_EQ(transform.inverse(-40), values.front());
  EXPECT_EQ(transform.inverse(40), values.back());
}

/// What smoothing is for: normal samples through a normal column are normal again, but for steps of the
/// transform. They show in the ratio of neighbouring steps, which is 1 of the true quantiles.
TEST(Transform, SmoothQuantilesOfAFewValuesHaveNoSteps) {
  std::vector<double> values(200);
  Stream random(5, Purpose::kTest);
  for (double& value : values) value = random.normal();
  const auto unsteadiness = [&](Transform kind) {
    std::vector<double> own = values;
    const encode::NumberTransform transform = encode::NumberTransform::fit(kind, own, 1000);
    double sum = 0;
    for (double z = -1.5; z < 1.5; z += 0.02) {
      const double step = transform.inverse(z + 0.02) - transform.inverse(z),
                   next = transform.inverse(z + 0.04) - transform.inverse(z + 0.02);
      sum += std::fabs(next - step) / 0.02;
    }
    return sum / 150;
  };
  EXPECT_GT(unsteadiness(Transform::kQuantile), 0.3);
  EXPECT_LT(unsteadiness(Transform::kSmooth), 0.02);
}

TEST(Transform, SmoothTakesFewAndEqualValues) {
  for (std::vector<double> values : {std::vector<double>{1, 2}, {3, 3, 3, 4}, {-1e38, 0, 1e38}}) {
    const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kSmooth, values, 1000);
    EXPECT_TRUE(std::is_sorted(transform.knots().begin(), transform.knots().end()));
    for (const double value : values) EXPECT_TRUE(std::isfinite(transform.forward(value)));
    for (const double z : {-3.0, 0.0, 3.0}) {
      EXPECT_GE(transform.inverse(z), values.front());
      EXPECT_LE(transform.inverse(z), values.back());
    }
  }
}

TEST(Transform, TrainingQuantilesAreThoseOfTheValues) {
  for (Transform kind : {Transform::kQuantile, Transform::kRankit, Transform::kEven}) {
    std::vector<double> values = skewed(2001);
    const encode::NumberTransform transform = encode::NumberTransform::fit(kind, values, 5000);
    for (double level : {0.0, 0.01, 0.3, 0.5, 0.95, 1.0})
      EXPECT_NEAR(transform.training_quantile(level), values[static_cast<std::size_t>(2000 * level + 0.5)],
                  1e-9);
  }
  std::vector<double> values = {1, 3, 5};
  const encode::NumberTransform standard = encode::NumberTransform::fit(Transform::kStandard, values, 1000);
  EXPECT_NEAR(standard.training_quantile(0.5), 3, 1e-12);
  EXPECT_TRUE(std::isfinite(standard.training_quantile(0)));
}

/// Numbers from scikit-learn's QuantileTransformer(n_quantiles=5, output_distribution='normal') fitted on 0,
/// 1, 4, …, 100.
TEST(Transform, QuantileAgreesWithScikitLearn) {
  std::vector<double> values;
  for (int i = 0; i <= 10; ++i) values.push_back(i * i);
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kQuantile, values, 5);
  EXPECT_EQ(transform.knots(), (std::vector<double>{0, 6.5, 25, 56.5, 100}));
  EXPECT_NEAR(transform.forward(3), normal_quantile(0.25 * 3 / 6.5), 1e-12);
  EXPECT_NEAR(transform.forward(60), normal_quantile(0.75 + 0.25 * 3.5 / 43.5), 1e-12);
}

/// The same number, rounded otherwise because other rows stood around it, still meets the middle of its run.
TEST(Transform, TiesAreMetDespiteRounding) {
  for (double shift : {0.0, 1.7e9}) {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back(shift + 0.0637 * i - 2);
    for (int i = 0; i < 50; ++i) values.push_back(shift + 0.1);
    const encode::NumberTransform transform =
        encode::NumberTransform::fit(Transform::kQuantile, values, 1000);
    const double exact = transform.forward(shift + 0.1);
    EXPECT_LT(std::fabs(exact), 0.5);
    for (double off : {-2e-8, 2e-8}) EXPECT_NEAR(transform.forward(shift + 0.1 + off), exact, 1e-6);
    EXPECT_GT(std::fabs(transform.forward(shift + 0.15) - exact), 0.1);
  }
}

TEST(Transform, InverseIsExact) {
  for (Transform kind : {Transform::kQuantile, Transform::kStandard, Transform::kRankit, Transform::kEven})
    for (std::size_t count : {2u, 10u, 999u, 5000u}) {
      std::vector<double> values = skewed(count), kept = values;
      const encode::NumberTransform transform = encode::NumberTransform::fit(kind, values, 1000);
      const auto [least, most] = std::minmax_element(kept.begin(), kept.end());
      for (double value : kept) {
        // The outermost 1e-7 of the probability is clipped.
        const double slack = 1e-9 * std::fabs(value) + 2e-7 * static_cast<double>(count) * (*most - *least);
        EXPECT_NEAR(transform.inverse(transform.forward(value)), value,
                    value == *least || value == *most ? slack : 1e-9 * std::fabs(value));
      }
    }
}

TEST(Transform, InverseQuantileStaysInsideTheTrainingRange) {
  std::vector<double> values = skewed(500);
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kQuantile, values, 1000);
  for (double z : {-40.0, -9.0, 0.0, 9.0, 40.0}) {
    EXPECT_GE(transform.inverse(z), values.front());
    EXPECT_LE(transform.inverse(z), values.back());
  }
  EXPECT_EQ(transform.inverse(40), values.back());
}

TEST(Transform, StandardHasMeanAndDeviation) {
  std::vector<double> values = {1, 3, 5};
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kStandard, values, 1000);
  EXPECT_NEAR(transform.forward(3), 0, 1e-15);
  EXPECT_NEAR(transform.forward(5), 2 / std::sqrt(8.0 / 3), 1e-14);
}

TEST(Transform, NoneLeavesNumbersAsTheyAre) {
  std::vector<double> values = {-2, 0.5, 0.5, 3};
  const encode::NumberTransform transform = encode::NumberTransform::fit(Transform::kNone, values, 1000);
  for (double value : {-2.0, 0.5, 3.0, 40.0, -1e9}) {
    EXPECT_EQ(transform.forward(value), value);
    EXPECT_EQ(transform.inverse(value), value);
  }
  EXPECT_FALSE(transform.has_quantiles());
  EXPECT_EQ(transform.knots(), (std::vector<double>{0.5, std::sqrt(3.125)}));
  EXPECT_EQ(transform.training_quantile(0.5), 0.5);
}

TEST(Transform, NoneRefusesNumbersFarFromTheOrderOfOne) {
  const auto refused = [](Transform kind, const std::vector<double>& sorted) {
    return refusal([&] { encode::check_untransformed(kind, sorted, "feature 'a'", "input_transform"); });
  };
  EXPECT_EQ(
      refused(Transform::kNone, {-3e6, 1}),
      "feature 'a' has the value -3e+06, but with input_transform none values can be at most 1e+06: use "
      "input_transform standard");
  EXPECT_NE(refused(Transform::kNone, {0, 2e6}), "");
  EXPECT_EQ(refused(Transform::kNone, {-1e6, 1e6}), "");
  EXPECT_EQ(refused(Transform::kStandard, {0, 2e6}), "");
}

TEST(Transform, AConstantColumnIsHarmless) {
  for (Transform kind :
       {Transform::kQuantile, Transform::kStandard, Transform::kRankit, Transform::kNone, Transform::kEven}) {
    std::vector<double> values(20, 7.5);
    const encode::NumberTransform transform = encode::NumberTransform::fit(kind, values, 1000);
    for (double value : {7.5, -100.0, 1e9}) EXPECT_EQ(transform.forward(value), 0.0);
    EXPECT_EQ(transform.inverse(1.25), 7.5);
  }
}

}  // namespace
}  // namespace mirrorball
