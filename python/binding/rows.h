#pragma once

#include <algorithm>
#include <span>

#include "base/thread_pool.h"
#include "bind.h"
#include "mirrorball/predictive.h"

namespace mirrorball::binding {

/// Arrays as they come from numpy: contiguous doubles, never copied, read only.
template <int kDims>
using In = nb::ndarray<const double, nb::ndim<kDims>, nb::c_contig, nb::device::cpu>;

template <class Array>
std::span<const double> span_of(const Array& array) {
  return {array.data(), array.size()};
}

/// Calls body(row) for all rows, on several threads and without the interpreter lock.
template <class Body>
void for_rows(std::size_t rows, unsigned threads, const Body& body) {
  constexpr std::size_t kTask = 16;
  const nb::gil_scoped_release unlocked;
  ThreadPool pool(rows > kTask ? threads : 1);
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
    for (std::size_t row = task * kTask; row < std::min(rows, (task + 1) * kTask); ++row) body(row);
  });
}

/// The draws of a row as joint draws, one after the other.
inline std::vector<double> joint_draws(const Predictive& draws, std::size_t row) {
  const std::size_t targets = draws.targets();
  std::vector<double> joint(draws.samples() * targets);
  for (std::size_t t = 0; t < targets; ++t) {
    const std::span<const double> own = draws.draws(row, t);
    for (std::size_t i = 0; i < own.size(); ++i) joint[i * targets + t] = own[i];
  }
  return joint;
}

}  // namespace mirrorball::binding
