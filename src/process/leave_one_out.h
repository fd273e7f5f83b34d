#pragma once

#include <Eigen/Cholesky>
#include <optional>
#include <vector>

#include "process/fit_kernel.h"

namespace mirrorball::process {

/// The Cholesky root of the covariance of observations, noise included.
Eigen::LLT<Eigen::MatrixXd> root_of(const Observations& seen, const Kernel& kernel);

/// Mean and standard deviation of a process at some rows.
struct Forecasts {
  std::vector<double> mean, sd;
};

/// Of every observation by the others. Nothing where rounding leaves the covariance no root.
std::optional<Forecasts> leave_one_out(const Observations& seen, const Kernel& kernel);

}  // namespace mirrorball::process
