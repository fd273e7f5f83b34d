#include "process/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "process/leave_one_out.h"

namespace mirrorball::process {
namespace {

/// Rows of two numbers and one code, and a smooth target with noise.
struct Data {
  rows::EncodedRows rows;
  std::vector<float> transformed, weights;
  std::vector<double> observed;
  std::vector<rows::RowNumber> which;
  encode::NumberTransform transform;

  explicit Data(std::size_t count, double noise = 0.1, std::uint64_t seed = 1)
      : rows(count, 2, 1), transformed(count), weights(count, 1.0f), observed(count), which(count) {
    Stream random(seed, Purpose::kTest);
    for (std::size_t i = 0; i < count; ++i) {
      const double a = 2 * random.uniform_double() - 1, b = 2 * random.uniform_double() - 1;
      rows.numbers[2 * i] = static_cast<float>(a);
      rows.numbers[2 * i + 1] = static_cast<float>(b);
      rows.codes[i] = static_cast<std::int32_t>(random.below(3));
      observed[i] = truth(a, b, rows.codes[i]) + noise * random.normal();
    }
    std::iota(which.begin(), which.end(), rows::RowNumber{0});
    std::vector<double> values = observed;
    transform = encode::NumberTransform::fit(Transform::kQuantile, values, 1000);
    for (std::size_t i = 0; i < count; ++i)
      transformed[i] = static_cast<float>(transform.forward(observed[i]));
  }

  static double truth(double a, double b, int code) { return std::sin(3 * a) + 0.5 * b + 0.3 * code; }

  Task task() const { return {rows, transformed, observed, weights, transform}; }
  std::optional<FittedProcess> fit(unsigned threads = 2, double seconds = 0) const {
    ThreadPool pool(threads);
    return fit_process(task(), which, seconds, 7, pool);
  }
  Observations observations() const {
    Observations seen{Points::of(rows, which), observed, {}};
    for (std::size_t i = 0; i < observed.size(); ++i)
      seen.weights.push_back(0.5 + static_cast<double>(i % 3));
    return seen;
  }
};

Kernel some_kernel() { return Kernel::of(std::vector<double>{-0.3, 0.4, 0.2, 0.1, -0.6, -1.2}); }

/// k(x, x') from its formula, one pair at a time.
double slow_covariance(const Kernel& kernel, const Points& points, std::size_t i, std::size_t k) {
  const auto row = [](std::size_t place) { return static_cast<Eigen::Index>(place); };
  double squared = 0, product = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    const double x = points.numbers(row(i), row(j)), z = points.numbers(row(k), row(j));
    squared += std::pow((x - z) / std::exp(kernel.log_length[j]), 2);
    product += x * z;
  }
  if (points.codes[i] != points.codes[k]) squared += std::exp(-2 * kernel.log_length[2]);
  const double t = std::sqrt(5 * squared);
  return std::exp(2 * kernel.log_signal) * (1 + t + t * t / 3) * std::exp(-t) +
         std::exp(2 * kernel.log_slope) * product / 2;
}

/// Solves by plain elimination; `matrix` is row by row.
std::vector<double> slow_solve(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = i + 1; r < n; ++r) {
      const double factor = matrix[r][i] / matrix[i][i];
      for (std::size_t c = i; c < n; ++c) matrix[r][c] -= factor * matrix[i][c];
      right[r] -= factor * right[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) right[i] -= matrix[i][c] * right[c];
    right[i] /= matrix[i][i];
  }
  return right;
}

/// The forecast of point `at` from the points of `seen` but one, straight from the formula.
std::pair<double, double> slow_forecast(const Kernel& kernel, const Observations& all, std::size_t at,
                                        std::span<const std::size_t> seen) {
  std::vector<std::vector<double>> matrix;
  std::vector<double> values, with;
  for (const std::size_t i : seen) {
    matrix.emplace_back();
    for (const std::size_t k : seen)
      matrix.back().push_back(slow_covariance(kernel, all.points, i, k) +
                              (i == k ? kernel.noise() / all.weights[i] : 0));
    values.push_back(all.values[i]);
    with.push_back(slow_covariance(kernel, all.points, i, at));
  }
  const std::vector<double> factors = slow_solve(matrix, values), weights = slow_solve(matrix, with);
  double mean = 0, variance = slow_covariance(kernel, all.points, at, at);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    mean += with[i] * factors[i];
    variance -= with[i] * weights[i];
  }
  return {mean, variance};
}

TEST(Process, CovariancesAreTheFormulas) {
  const Observations seen = Data(12).observations();
  const Kernel kernel = some_kernel();
  const Covariance fast(kernel, seen.points);
  std::vector<double> row(12), numbers = {seen.points.numbers(3, 0), seen.points.numbers(3, 1)};
  covariance_with(kernel, seen.points, numbers, seen.points.codes_of(3), row);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(row[i], slow_covariance(kernel, seen.points, 3, i), 1e-12);
    for (std::size_t k = 0; k < 12; ++k) {
      const auto a = static_cast<Eigen::Index>(i), b = static_cast<Eigen::Index>(k);
      EXPECT_NEAR(fast.smooth(a, b) + fast.linear(a, b), slow_covariance(kernel, seen.points, i, k), 1e-12);
    }
  }
  EXPECT_NEAR(kernel.variance(numbers), row[3], 1e-12);
}

TEST(Process, TheSlopesOfTheMisfitAreItsDifferences) {
  const Observations seen = Data(15).observations();
  const std::vector<double> at = some_kernel().parameters();
  const Misfit here = misfit(seen, some_kernel());
  for (std::size_t p = 0; p < at.size(); ++p) {
    std::vector<double> up = at, down = at;
    constexpr double kStep = 1e-5;
    up[p] += kStep;
    down[p] -= kStep;
    const double slope =
        (misfit(seen, Kernel::of(up)).value - misfit(seen, Kernel::of(down)).value) / (2 * kStep);
    EXPECT_NEAR(here.slope[p], slope, 1e-5 * (1 + std::abs(slope))) << p;
  }
}

TEST(Process, LeavingOneOutIsFittingWithoutIt) {
  const Observations seen = Data(14).observations();
  const auto fast = leave_one_out(seen, some_kernel());
  ASSERT_TRUE(fast);
  for (std::size_t at = 0; at < 14; ++at) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < 14; ++i)
      if (i != at) others.push_back(i);
    const auto [mean, variance] = slow_forecast(some_kernel(), seen, at, others);
    EXPECT_NEAR(fast->mean[at], mean, 1e-9);
    EXPECT_NEAR(fast->sd[at], std::sqrt(variance + some_kernel().noise() / seen.weights[at]), 1e-9);
  }
}

TEST(Process, ASearchLowersTheMisfit) {
  const Observations seen = Data(80).observations();
  const Kernel start = Kernel::usual(3), found = fit_kernel(seen, start, 30);
  EXPECT_LT(misfit(seen, found).value, misfit(seen, start).value - 10);
}

TEST(Process, QuantilesAreTheFormulas) {
  const Data data(60);
  const auto fitted = data.fit();
  ASSERT_TRUE(fitted);
  const GaussianProcess& process = fitted->process;
  process.check(2, 1);
  Observations seen{process.points, {}, std::vector<double>(60, 1.0)};
  for (const rows::RowNumber row : data.which) {
    const double value = process.scale.own
                             ? data.observed[row]
                             : std::clamp(static_cast<double>(data.transformed[row]), -3.0, 3.0);
    seen.values.push_back((value - process.scale.center) / process.scale.spread);
  }
  std::vector<std::size_t> all(60);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto [mean, variance] = slow_forecast(process.kernel, seen, 5, all);
  GaussianProcess::Scratch scratch;
  std::vector<float> out(3);
  process.quantiles({data.rows.numbers.data() + 10, 2}, {data.rows.codes.data() + 5, 1}, data.transform, out,
                    scratch);
  const double sd = std::sqrt(variance + process.kernel.noise());
  // Level 1/2 is the middle one of 201 errors.
  EXPECT_NEAR(out[1], process.scale.transformed(mean + sd * process.errors[100], data.transform), 1e-3);
  EXPECT_LT(out[0], out[1]);
  EXPECT_LT(out[1], out[2]);
}

TEST(Process, ForecastsOfHeldOutRowsAreHonest) {
  const Data data(300);
  const auto fitted = data.fit();
  ASSERT_TRUE(fitted);
  GaussianProcess::Scratch scratch;
  std::vector<float> out(100);
  const Data fresh(300, 0.1, 2);
  double inside = 0, error = 0, own = 0;
  for (rows::RowNumber row = 0; row < 300; ++row) {
    fitted->process.quantiles({fresh.rows.numbers.data() + 2 * row, 2}, {fresh.rows.codes.data() + row, 1},
                              data.transform, out, scratch);
    const double low = data.transform.inverse(static_cast<double>(out[5])),
                 high = data.transform.inverse(static_cast<double>(out[94]));
    inside += low <= fresh.observed[row] && fresh.observed[row] <= high;
    error += std::abs(data.transform.inverse(static_cast<double>(out[50])) - fresh.observed[row]);
    fitted->held_out_quantiles(data.rows, row, data.transform, out, scratch);
    own += std::abs(data.transform.inverse(static_cast<double>(out[50])) - data.observed[row]);
  }
  EXPECT_NEAR(inside / 300, 0.89, 0.06);
  EXPECT_LT(error / 300, 0.095) << "the best is 0.08";
  EXPECT_NEAR(own / error, 1, 0.15) << "rows that were seen look like new ones";
}

TEST(Process, DoesNotDependOnThreads) {
  const Data data(120);
  const auto one = data.fit(1), three = data.fit(3);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->process.kernel.parameters(), three->process.kernel.parameters());
  EXPECT_EQ(one->process.root, three->process.root);
  EXPECT_EQ(one->mean, three->mean);
}

TEST(Process, RowsWithoutWeightAreNotSeen) {
  Data data(100);
  data.weights[7] = 0;
  data.observed[7] = 1e6;
  const auto fitted = data.fit();
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->rows.size(), 99u);
  EXPECT_LT(fitted->process.scale.spread, 10);
}

TEST(Process, ThereIsNoneWithoutRowsSpreadOrTime) {
  EXPECT_FALSE(Data(39).fit());
  Data constant(60);
  std::fill(constant.observed.begin(), constant.observed.end(), 3.0);
  std::fill(constant.transformed.begin(), constant.transformed.end(), 0.0f);
  EXPECT_FALSE(constant.fit());
  EXPECT_FALSE(Data(200).fit(2, 1e-9));
}

TEST(Process, DamagedOnesAreRefused) {
  const auto fitted = Data(60).fit();
  ASSERT_TRUE(fitted);
  const auto refused = [&](const auto& damage) {
    GaussianProcess broken = fitted->process;
    damage(broken);
    EXPECT_THROW(broken.check(2, 1), std::invalid_argument);
  };
  refused([](GaussianProcess& p) { p.root.pop_back(); });
  refused([](GaussianProcess& p) { p.factors[3] = NAN; });
  refused([](GaussianProcess& p) { p.kernel.log_noise = 1e6; });
  refused([](GaussianProcess& p) { p.errors.resize(1); });
  refused([](GaussianProcess& p) { p.points.codes.pop_back(); });
  EXPECT_THROW(fitted->process.check(3, 1), std::invalid_argument);
}

}  // namespace
}  // namespace mirrorball::process
