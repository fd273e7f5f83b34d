#include "encode/plain_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace mirrorball {
namespace {

/// Five quantiles; quartiles 1 and 3, median 2, so that s = 2 / 1.349.
const std::vector<double> kKnots = {0, 1, 2, 3, 50};

encode::PlainNumber plain_of(const std::vector<double>& knots) {
  return encode::PlainNumber(encode::NumberTransform(Transform::kRankit, knots));
}

double by_hand(double x) {
  const auto u = [](double value) {
    const double t = (value - 2) / (2 / 1.349);
    return t / std::sqrt(1 + t * t / 9);
  };
  double mean = 0, square = 0;
  for (double knot : kKnots) mean += u(knot) / 5;
  for (double knot : kKnots) square += std::pow(u(knot) - mean, 2) / 5;
  return (u(x) - mean) / std::sqrt(square);
}

TEST(PlainNumber, IsTheFormula) {
  const encode::PlainNumber plain = plain_of(kKnots);
  for (double x : {0.0, 0.3, 2.0, 7.0, 49.0}) EXPECT_NEAR(plain.forward(x), by_hand(x), 1e-12) << x;
}

TEST(PlainNumber, BeyondTheTrainingRangeIsItsEnd) {
  const encode::PlainNumber plain = plain_of(kKnots);
  EXPECT_EQ(plain.forward(-1e30), plain.forward(0));
  EXPECT_EQ(plain.forward(1e30), plain.forward(50));
}

TEST(PlainNumber, ARareValueStaysNear) {
  std::vector<double> mostly_zero(1000, 0.0);
  mostly_zero.back() = 1e-30;
  const encode::PlainNumber plain = plain_of(mostly_zero);
  EXPECT_NEAR(plain.forward(0), 0, 0.01);
  EXPECT_GT(plain.forward(1e-30), 5);
  EXPECT_LT(plain.forward(1e-30), 6);
}

TEST(PlainNumber, OnlyOfWhatGoesByRanksAndDiffers) {
  EXPECT_TRUE(encode::PlainNumber::can_be_told_from({Transform::kRankit, {0, 1}}));
  EXPECT_TRUE(encode::PlainNumber::can_be_told_from({Transform::kQuantile, {0, 1}}));
  EXPECT_FALSE(encode::PlainNumber::can_be_told_from({Transform::kQuantile, {1, 1}}));
  EXPECT_FALSE(encode::PlainNumber::can_be_told_from({Transform::kEven, {0, 1}}));
  EXPECT_FALSE(encode::PlainNumber::can_be_told_from({Transform::kStandard, {0, 1}}));
}

TEST(PlainNumber, GrowsAndHasDeviationOneWhereverValuesLie) {
  std::vector<double> far(1000), wide(1000);
  std::iota(far.begin(), far.end(), 1e15);
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = std::sinh((static_cast<double>(i) - 500) / 100);
  for (const std::vector<double>& knots : {far, wide}) {
    const encode::PlainNumber plain = plain_of(knots);
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < knots.size(); ++i) {
      const double z = plain.forward(knots[i]);
      ASSERT_TRUE(std::isfinite(z));
      EXPECT_GE(z, plain.forward(knots[i == 0 ? 0 : i - 1]));
      mean += z / 1000;
      square += z * z / 1000;
    }
    EXPECT_LT(plain.forward(knots.front()), plain.forward(knots.back()));
    EXPECT_NEAR(mean, 0, 1e-9);
    EXPECT_NEAR(square, 1, 1e-9);
  }
}

}  // namespace
}  // namespace mirrorball
