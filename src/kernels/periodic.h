#pragma once

#include <cstddef>

namespace mirrorball::kernels {

/// Waves of numbers (Gorishniy et al. 2022, "On embeddings for numerical features"), the frequencies learned:
///
///   w[s][j] = [a[k] cos(2 pi f[j][k] x[s][j])]_k , [a[k] sin(2 pi f[j][k] x[s][j])]_k      k = 0 … count - 1
///
/// Backward takes dw and adds to df[j][k] the sum over s of
///   2 pi x[s][j] (dw_sin[k] w_cos[k] - dw_cos[k] w_sin[k]).
///
/// Rows of x are `x_stride` floats apart, rows of f and df, and a, padded(count); w and dw are back to back,
/// with kPadding floats to spare behind the last.
struct PeriodicShape {
  std::size_t rows, features, x_stride, count;
};

void periodic(const PeriodicShape& shape, const float* x, const float* f, const float* a, float* w);
void periodic_backward(const PeriodicShape& shape, const float* x, const float* w, const float* dw,
                       float* df);

}  // namespace mirrorball::kernels
