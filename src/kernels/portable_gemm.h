#pragma once

#include <cstddef>

namespace mirrorball::kernels {

/// What portable_gemm multiplies. Element (i, k) of `a` is a[i * line_step + k * depth_step], so that a
/// transpose is a matter of steps; the other strides are the number of floats from row to row.
struct PortableShape {
  std::size_t lines = 0, depth = 0, out = 0;
  std::size_t line_step = 0, depth_step = 0, b_stride = 0, result_stride = 0;
  bool adds = false;
};

///   result[lines][out] = A[lines][depth] B[depth][out], or += with `adds`
///
/// in the vector instructions of the CPU level, without generated code. Every element is summed in the order
/// of k, whatever the shape. Nothing beyond `out` is read or written; no alignment is asked for.
void portable_gemm(const PortableShape& shape, const float* a, const float* b, float* result);

}  // namespace mirrorball::kernels
