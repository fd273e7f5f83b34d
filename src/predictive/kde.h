#pragma once

#include <span>
#include <vector>

namespace mirrorball::predictive {

struct LogDensity {
  double value;
  bool floored;  ///< the draws had too little spread, a floor was added
};

/// Log of the Gaussian kernel density estimate at y, as scipy's gaussian_kde. `columns` holds one run of M
/// draws per entry of y. Finite for all numbers up to 1e140. `scratch` is reused memory, any content.
LogDensity kde_log_density(std::span<const double> columns, std::span<const double> y,
                           std::vector<double>& scratch);

}  // namespace mirrorball::predictive
