#pragma once

namespace mirrorball {

/// Standard normal distribution function.
double normal_cdf(double z);

/// Its inverse for 0 < p < 1, to about 1e-15 relative.
double normal_quantile(double p);

/// The same to 2e-11 and several times as fast, from a table: for draws by the million.
double fast_normal_cdf(double z);

}  // namespace mirrorball
