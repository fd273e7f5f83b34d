#pragma once

#include <cstddef>

namespace mirrorball::kernels {

/// The output layer, for a handful of targets. weight[t] is a row of `width` floats, y[t] a run of `rows`
/// floats.
///
///   forward    y[t][r] = sum_j h[r][j] weight[t][j] + bias[t]
///   backward   dh[r][j] = sum_t dy[t][r] weight[t][j];  dweight[t][j] += sum_r dy[t][r] h[r][j];
///              dbias[t] += sum_r dy[t][r]
struct HeadShape {
  std::size_t rows, width, targets;
};

void head(const HeadShape& shape, const float* h, const float* weight, const float* bias, float* y);
void head_backward(const HeadShape& shape, const float* dy, const float* h, const float* weight, float* dh,
                   float* dweight, float* dbias);

}  // namespace mirrorball::kernels
