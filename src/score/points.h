#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "score/distance_kernel.h"

namespace mirrorball::scoring {

/// Points of a space, one padded column per dimension, as the distance kernels want them.
class Points {
 public:
  Points(std::size_t count, std::size_t dims)
      : count_(count), dims_(dims), stride_(count + kDistancePad), values_(dims * stride_) {}

  std::size_t count() const { return count_; }
  std::size_t dims() const { return dims_; }
  std::size_t stride() const { return stride_; }
  const double* data() const { return values_.data(); }
  std::span<double> column(std::size_t k) { return {values_.data() + k * stride_, count_}; }
  std::span<const double> column(std::size_t k) const { return {values_.data() + k * stride_, count_}; }

 private:
  std::size_t count_, dims_, stride_;
  std::vector<double> values_;
};

/// From M joint values of `dims` numbers each to columns.
inline Points to_columns(std::span<const double> joint, std::size_t dims) {
  Points points(joint.size() / dims, dims);
  for (std::size_t k = 0; k < dims; ++k)
    for (std::size_t i = 0; i < points.count(); ++i) points.column(k)[i] = joint[i * dims + k];
  return points;
}

/// Σ_i<j ‖p_i − p_j‖.
inline double pair_distance_sum(const Points& p) {
  return pair_distance_sum(p.data(), p.stride(), p.count(), p.dims());
}

/// Σ_i Σ_j ‖p_i − q_j‖.
inline double cross_distance_sum(const Points& p, const Points& q) {
  return cross_distance_sum(p.data(), p.stride(), p.count(), q.data(), q.stride(), q.count(), p.dims());
}

}  // namespace mirrorball::scoring
