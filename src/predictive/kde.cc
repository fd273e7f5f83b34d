#include "predictive/kde.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "predictive/log_sum_exp_kernel.h"

namespace mirrorball::predictive {
namespace {

// A kernel narrower than this share of the largest draw is rounding error of the draws; draws that are all 0
// get a width of their own.
constexpr double kRelativeFloor = 1e-13, kAbsoluteFloor = 1e-12;
// In several dimensions a direction without spread leaves a pivot that is rounding error of the variance
// itself.
constexpr double kPivotFloor = 1e-12;
// Squared distances stop here, so that a value absurdly far away has a finite density in the log.
constexpr double kFarthest = 1e300;

/// H = M^(-2/(d+4)) C: Scott's factor squared times the covariance with M - 1 below the line; d x d,
/// row-major.
std::vector<double> kernel_covariance(std::span<const double> columns, std::size_t dims, std::size_t samples,
                                      std::vector<double>& scratch) {
  const double count = static_cast<double>(samples);
  const double factor = std::pow(count, -2.0 / (static_cast<double>(dims) + 4)) / std::max(1.0, count - 1);
  for (std::size_t k = 0; k < dims; ++k) {
    const std::span<const double> column = columns.subspan(k * samples, samples);
    double sum = 0;
    for (const double value : column) sum += value;
    for (std::size_t i = 0; i < samples; ++i) scratch[k * samples + i] = column[i] - sum / count;
  }
  std::vector<double> covariance(dims * dims);
  for (std::size_t j = 0; j < dims; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < samples; ++i) sum += scratch[j * samples + i] * scratch[k * samples + i];
      covariance[j * dims + k] = covariance[k * dims + j] = factor * sum;
    }
  return covariance;
}

/// The smallest variance we tell from none, one per dimension.
std::vector<double> variance_floors(std::span<const double> columns, std::span<const double> covariance,
                                    std::size_t dims, std::size_t samples) {
  std::vector<double> floors(dims);
  for (std::size_t k = 0; k < dims; ++k) {
    double largest = 0;
    for (const double value : columns.subspan(k * samples, samples))
      largest = std::max(largest, std::abs(value));
    const double width = largest > 0 ? kRelativeFloor * largest : kAbsoluteFloor;
    floors[k] = width * width + kPivotFloor * covariance[k * dims + k];
  }
  return floors;
}

/// Lower Cholesky factor in place, H = L Lᵀ. False when a pivot is not above its floor.
bool cholesky(std::vector<double>& matrix, std::span<const double> floors) {
  const std::size_t dims = floors.size();
  for (std::size_t j = 0; j < dims; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      double value = matrix[j * dims + k];
      for (std::size_t i = 0; i < k; ++i) value -= matrix[j * dims + i] * matrix[k * dims + i];
      if (j == k && !(value > floors[j])) return false;
      matrix[j * dims + k] = j == k ? std::sqrt(value) : value / matrix[k * dims + k];
    }
  return true;
}

/// q_i = ‖L⁻¹ (s_i − y)‖², by forward substitution on whole columns; z is room for the columns of L⁻¹ (s −
/// y).
void squared_distances(std::span<const double> columns, std::span<const double> y,
                       std::span<const double> factor, std::size_t samples, double* z, double* q) {
  const std::size_t dims = y.size();
  std::fill(q, q + samples, 0.0);
  for (std::size_t k = 0; k < dims; ++k) {
    double* const zk = z + k * samples;
    for (std::size_t i = 0; i < samples; ++i) zk[i] = columns[k * samples + i] - y[k];
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t i = 0; i < samples; ++i) zk[i] -= factor[k * dims + j] * z[j * samples + i];
    const double scale = 1 / factor[k * dims + k];
    for (std::size_t i = 0; i < samples; ++i) q[i] += (zk[i] * scale) * (zk[i] * scale);
    for (std::size_t i = 0; i < samples; ++i) zk[i] *= scale;
  }
  for (std::size_t i = 0; i < samples; ++i) q[i] = std::min(q[i], kFarthest);
}

}  // namespace

// p(y) = 1/M Σ_i N(y; s_i, H), so with H = L Lᵀ and q_i = ‖L⁻¹ (s_i − y)‖²
//   log p(y) = log Σ_i exp(−q_i/2) − log M − d/2 log 2π − Σ_k log L_kk.
// Draws without spread (all equal, a single one, or on a line in the plane) have a singular H: then the floor
// w_k² + 1e-12 H_kk is added to each H_kk, with w_k = 1e-13 max|s_k|, or 1e-12 where all draws are 0.
LogDensity kde_log_density(std::span<const double> columns, std::span<const double> y,
                           std::vector<double>& scratch) {
  const std::size_t dims = y.size(), samples = columns.size() / dims;
  const std::size_t padded = samples + kLogSumExpPad;
  scratch.resize(std::max(scratch.size(), dims * samples + padded));
  const std::vector<double> covariance = kernel_covariance(columns, dims, samples, scratch);
  const std::vector<double> floors = variance_floors(columns, covariance, dims, samples);
  std::vector<double> factor = covariance;
  const bool floored = !cholesky(factor, floors);
  if (floored) {
    factor = covariance;
    for (std::size_t k = 0; k < dims; ++k) factor[k * dims + k] += floors[k];
    cholesky(factor, std::vector<double>(dims, 0.0));
  }
  double* const q = scratch.data() + dims * samples;
  squared_distances(columns, y, factor, samples, scratch.data(), q);
  std::fill(q + samples, q + padded, std::numeric_limits<double>::max());
  double value = log_sum_exp(q, samples) - std::log(static_cast<double>(samples)) -
                 0.5 * static_cast<double>(dims) * std::log(2 * std::numbers::pi);
  for (std::size_t k = 0; k < dims; ++k) value -= std::log(factor[k * dims + k]);
  return {value, floored};
}

}  // namespace mirrorball::predictive
