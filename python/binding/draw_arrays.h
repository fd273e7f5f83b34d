#pragma once

#include <span>

#include "bind.h"

namespace mirrorball::binding {

// Arrays of doubles as they come from numpy: contiguous, never copied, read only.
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
/// Draws, rows x samples x targets.
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class In>
std::span<const double> span_of(const In& array) {
  return {array.data(), array.size()};
}

}  // namespace mirrorball::binding
