#include "process/fit_kernel.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace mirrorball::process {
namespace {

/// Normal priors of the log parameters, around the usual kernel: wide for lengths, narrower for the scales,
/// which a few rows hardly tell apart.
constexpr double kLengthVariance = 3, kSignalVariance = 1, kSlopeVariance = 1, kNoiseVariance = 2.25;

/// Steps of each parameter (Rprop, Riedmiller and Braun 1993): they grow while the slope keeps its sign, and
/// shrink when it turns.
constexpr double kFirstStep = 0.2, kGrow = 1.2, kShrink = 0.5, kLongest = 0.7, kShortest = 1e-4;

double prior_variance(std::size_t parameter, std::size_t lengths) {
  constexpr double kScales[] = {kSignalVariance, kSlopeVariance, kNoiseVariance};
  return parameter < lengths ? kLengthVariance : kScales[parameter - lengths];
}

/// Of the likelihood by log l_j, from g = slope by each covariance, times `slope`: for numbers
///   sum_ik g_ik (x_i - x_k)^2 / l^2 = 2 (sum_i x_i^2 sum_k g_ik - x' g x) / l^2
/// as g is symmetric.
std::vector<double> length_slopes(const Points& points, const Kernel& kernel, const Eigen::MatrixXd& g) {
  std::vector<double> slopes;
  const Eigen::VectorXd sums = g.rowwise().sum();
  const Eigen::MatrixXd product = g * points.numbers;
  for (Eigen::Index j = 0; j < points.numbers.cols(); ++j) {
    const auto x = points.numbers.col(j);
    const double total = x.array().square().matrix().dot(sums) - x.dot(product.col(j));
    slopes.push_back(2 * total * std::exp(-2 * kernel.log_length[slopes.size()]));
  }
  for (std::size_t c = 0; c < points.code_columns; ++c) {
    double total = 0;
    for (std::size_t i = 0; i < points.count(); ++i)
      for (std::size_t k = 0; k < points.count(); ++k)
        if (points.codes_of(i)[c] != points.codes_of(k)[c])
          total += g(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i));
    slopes.push_back(total * std::exp(-2 * kernel.log_length[slopes.size()]));
  }
  return slopes;
}

void add_prior(const Kernel& kernel, Misfit& result) {
  const std::vector<double> own = kernel.parameters(),
                            usual = Kernel::usual(kernel.log_length.size()).parameters();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double off = own[i] - usual[i], variance = prior_variance(i, kernel.log_length.size());
    result.value += off * off / (2 * variance);
    result.slope[i] += off / variance;
  }
}

}  // namespace

Observations Observations::chosen(std::span<const std::size_t> places) const {
  Observations some{points.chosen(places), {}, {}};
  for (const std::size_t place : places) {
    some.values.push_back(values[place]);
    some.weights.push_back(weights[place]);
  }
  return some;
}

// With C the covariance of the observations, noise included, and a = C^-1 y:
//   misfit = y' a / 2 + log det C / 2,   slope by p = sum of (C^-1 - a a') / 2 times dC / dp, pair by pair.
Misfit misfit(const Observations& observations, const Kernel& kernel) {
  const auto n = static_cast<Eigen::Index>(observations.values.size());
  const Covariance covariance(kernel, observations.points);
  const Eigen::Map<const Eigen::VectorXd> y(observations.values.data(), n);
  const Eigen::VectorXd noise =
      kernel.noise() * Eigen::Map<const Eigen::VectorXd>(observations.weights.data(), n).cwiseInverse();
  Eigen::MatrixXd whole = covariance.smooth + covariance.linear;
  whole.diagonal() += noise;
  const Eigen::LLT<Eigen::MatrixXd> root(whole);
  Misfit result{std::numeric_limits<double>::infinity(), std::vector<double>(kernel.size())};
  if (root.info() != Eigen::Success) return result;
  const Eigen::MatrixXd inverse = root.solve(Eigen::MatrixXd::Identity(n, n));
  const Eigen::VectorXd a = inverse * y;
  result.value = y.dot(a) / 2 + root.matrixLLT().diagonal().array().log().sum();
  const Eigen::MatrixXd g = 0.5 * (inverse - a * a.transpose());
  result.slope = length_slopes(observations.points, kernel, g.cwiseProduct(covariance.slope));
  result.slope.push_back(2 * g.cwiseProduct(covariance.smooth).sum());
  result.slope.push_back(2 * g.cwiseProduct(covariance.linear).sum());
  result.slope.push_back(2 * g.diagonal().dot(noise));
  add_prior(kernel, result);
  return result;
}

Kernel fit_kernel(const Observations& observations, const Kernel& start, int steps, const WorkTime& time,
                  double share) {
  std::vector<double> at = start.parameters(), best = at, step(at.size(), kFirstStep), before(at.size());
  double lowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < steps && !time.is_over(); ++i) {
    time.add(share / steps);
    const Misfit now = misfit(observations, Kernel::of(at));
    if (!std::isfinite(now.value)) break;
    if (now.value < lowest) {
      lowest = now.value;
      best = at;
    }
    for (std::size_t p = 0; p < at.size(); ++p) {
      const double turn = now.slope[p] * before[p];
      if (turn != 0) step[p] = std::clamp(step[p] * (turn > 0 ? kGrow : kShrink), kShortest, kLongest);
      before[p] = turn < 0 ? 0 : now.slope[p];  // after a turn, one quiet step
      if (before[p] != 0) at[p] -= std::copysign(step[p], before[p]);
    }
  }
  return Kernel::of(best);
}

}  // namespace mirrorball::process
