#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/thread_pool.h"
#include "border.h"

namespace mirrorball::binding {

/// Contiguous doubles of Python's: `size` of them, or rows and columns as a function says.
using In = const double*;
using Out = double*;

/// Calls body(row) for all rows, on several threads.
template <class Body>
void for_rows(std::size_t rows, unsigned threads, const Body& body) {
  constexpr std::size_t kTask = 16;
  ThreadPool pool(rows > kTask ? threads : 1);
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
    for (std::size_t row = task * kTask; row < std::min(rows, (task + 1) * kTask); ++row) body(row);
  });
}

}  // namespace mirrorball::binding
