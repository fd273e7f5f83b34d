#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "predictive/log_sum_exp_kernel.h"
#include "score/points.h"
#include "score/slow_scores.h"

namespace mirrorball {
namespace {

/// Runs the body once at every instruction set this machine has, and proves that they are different ones.
template <class Body>
void at_every_level(const Body& body) {
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  std::set<std::size_t> seen;
  for (const std::int64_t target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    body();
    seen.insert(hwy::GetChosenTarget().GetIndex());
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(seen.size(), targets.size());
}

TEST(ScoreKernels, LogSumExpAtEveryLevel) {
  at_every_level([] {
    for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 31, 500}) {
      std::vector<double> q = slow::normals(n, 70, 30, 10);
      double sum = 0;
      for (double& value : q) sum += std::exp(-0.5 * (value = std::abs(value)));
      q.resize(n + predictive::kLogSumExpPad, std::numeric_limits<double>::max());
      EXPECT_NEAR(predictive::log_sum_exp(q.data(), n), std::log(sum), 1e-13) << n;
      for (std::size_t i = 0; i < n; ++i) q[i] += 1e6;  // far below the smallest double
      EXPECT_NEAR(predictive::log_sum_exp(q.data(), n), std::log(sum) - 5e5, 1e-8) << n;
    }
  });
}

TEST(ScoreKernels, DistancesAtEveryLevel) {
  at_every_level([] {
    for (const std::size_t dims : {1, 2, 3, 5})
      for (const std::size_t n : {1, 2, 3, 4, 5, 8, 9, 50}) {
        const std::vector<double> a = slow::normals(n * dims, 71), b = slow::normals(11 * dims, 72);
        double pairs = 0, cross = 0;
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < i; ++j) pairs += slow::distance(&a[i * dims], &a[j * dims], dims);
          for (std::size_t j = 0; j < 11; ++j) cross += slow::distance(&a[i * dims], &b[j * dims], dims);
        }
        EXPECT_NEAR(scoring::pair_distance_sum(scoring::to_columns(a, dims)), pairs, 1e-12 * (1 + pairs));
        EXPECT_NEAR(scoring::cross_distance_sum(scoring::to_columns(a, dims), scoring::to_columns(b, dims)),
                    cross, 1e-12 * cross);
      }
  });
}

}  // namespace
}  // namespace mirrorball
