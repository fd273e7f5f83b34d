#include "explain/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mirrorball {
namespace {

constexpr std::size_t kTaken = 16, kAll = 40;

/// The rows taken so far have one category, the others a rare one: in these rows the control of a category,
/// the mean answer of its rows, is one number, and the mean over all rows is another.
TEST(ShapEstimate, AControlThatTheRowsDoNotVaryInCorrectsNothing) {
  rows::EncodedRows background(kAll, 0, 1), x(1, 0, 1);
  x.codes[0] = 2;
  std::vector<double> base(kAll);
  for (std::size_t b = 0; b < kAll; ++b) {
    background.codes[b] = b < kTaken ? 0 : 1;
    base[b] = 180000.1 + 1000.3 * static_cast<double>(b);
  }
  shap::Contributions found;
  found.features = 2;
  found.rows = kTaken;
  found.asked.assign(found.features, 1);
  found.noise.assign(kTaken * found.features, 0.0);
  for (std::size_t b = 0; b < kTaken; ++b)
    found.value.insert(found.value.end(), {b % 2 ? 3.0 : 1.0, b % 4 < 2 ? 0.4 : 0.6});
  const encode::EncodedPlace place{.code = 0};
  const shap::Population population{
      kAll, kAll, [&](std::size_t) { return shap::Controls(place, x, 0, background, base); }};
  const shap::Estimate made = shap::estimate(found, 0, population, 2.5);
  EXPECT_NEAR(made.values[0], 2.0, 1e-9);
  EXPECT_NEAR(made.values[1], 0.5, 1e-9);
  EXPECT_TRUE(std::isfinite(made.errors[0]) && made.errors[0] > 0 && made.errors[0] < 1) << made.errors[0];
}

}  // namespace
}  // namespace mirrorball
