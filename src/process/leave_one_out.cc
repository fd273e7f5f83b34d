#include "process/leave_one_out.h"

#include <cmath>

namespace mirrorball::process {

Eigen::LLT<Eigen::MatrixXd> root_of(const Observations& seen, const Kernel& kernel) {
  const Covariance covariance(kernel, seen.points);
  Eigen::MatrixXd whole = covariance.smooth + covariance.linear;
  for (Eigen::Index i = 0; i < whole.rows(); ++i)
    whole(i, i) += kernel.noise() / seen.weights[static_cast<std::size_t>(i)];
  return Eigen::LLT<Eigen::MatrixXd>(whole);
}

// With K the inverse covariance of the observations z, and without row i:
//   mean = z_i - (K z)_i / K_ii,   variance = 1 / K_ii     (Rasmussen and Williams 2006, 5.4.2)
std::optional<Forecasts> leave_one_out(const Observations& seen, const Kernel& kernel) {
  const auto root = root_of(seen, kernel);
  if (root.info() != Eigen::Success) return {};
  const auto n = static_cast<Eigen::Index>(seen.values.size());
  const Eigen::MatrixXd inverse = root.solve(Eigen::MatrixXd::Identity(n, n));
  const Eigen::VectorXd factors = inverse * Eigen::Map<const Eigen::VectorXd>(seen.values.data(), n);
  Forecasts all;
  for (Eigen::Index i = 0; i < n; ++i) {
    all.mean.push_back(seen.values[static_cast<std::size_t>(i)] - factors[i] / inverse(i, i));
    all.sd.push_back(1 / std::sqrt(inverse(i, i)));
  }
  return all;
}

}  // namespace mirrorball::process
