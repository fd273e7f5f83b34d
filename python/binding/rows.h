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

}  // namespace mirrorball::binding
