#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "base/random.h"

namespace mirrorball::slow {

// The scores again, straight from their formulas.

inline double distance(const double* a, const double* b, std::size_t dims) {
  double sum = 0;
  for (std::size_t k = 0; k < dims; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

/// 1/M Σ_i ‖s_i − y‖ − 1/(2 M²) Σ_ij ‖s_i − s_j‖, M (M − 1) below the line for `fair`.
inline double energy_score(std::span<const double> draws, std::span<const double> y, bool fair = false) {
  const std::size_t dims = y.size(), samples = draws.size() / dims;
  double near = 0, pairs = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    near += distance(&draws[i * dims], y.data(), dims);
    for (std::size_t j = 0; j < samples; ++j) pairs += distance(&draws[i * dims], &draws[j * dims], dims);
  }
  const double m = static_cast<double>(samples);
  return near / m - pairs / (2 * m * (fair ? m - 1 : m));
}

inline double crps(std::span<const double> draws, double y, bool fair = false) {
  return energy_score(draws, {&y, 1}, fair);
}

/// −log of 1/M Σ_i N(y; s_i, h²), h = M^(−1/5) sd.
inline double kde_nll(std::span<const double> draws, double y) {
  const double m = static_cast<double>(draws.size());
  double mean = 0, squares = 0, sum = 0;
  for (const double s : draws) mean += s / m;
  for (const double s : draws) squares += (s - mean) * (s - mean);
  const double h = std::pow(m, -0.2) * std::sqrt(squares / (m - 1));
  for (const double s : draws)
    sum += std::exp(-0.5 * (y - s) * (y - s) / (h * h)) / (h * std::sqrt(2 * std::numbers::pi));
  return -std::log(sum / m);
}

inline std::vector<double> normals(std::size_t count, std::uint32_t key, double shift = 0, double scale = 1) {
  Stream stream(11, Purpose::kTest, key);
  std::vector<double> values(count);
  for (double& value : values) value = shift + scale * stream.normal();
  return values;
}

}  // namespace mirrorball::slow
