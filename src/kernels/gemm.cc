#include "kernels/gemm.h"

#include <Eigen/Core>
#include <algorithm>

#include "kernels/level.h"

#ifdef MIRRORBALL_LIBXSMM
#include <libxsmm.h>
#endif

namespace mirrorball::kernels {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using In = Eigen::Map<const Matrix, 0, Stride>;
using Out = Eigen::Map<Matrix, 0, Stride>;

auto index(std::size_t n) { return static_cast<Eigen::Index>(n); }

}  // namespace

Gemm Gemm::forward(std::size_t rows, std::size_t in, std::size_t out, std::size_t x_stride,
                   std::size_t w_stride, std::size_t y_stride) {
  return Gemm(Shape{rows, in, out, x_stride, w_stride, y_stride, false});
}

Gemm Gemm::weight_gradient(std::size_t rows, std::size_t in, std::size_t out, std::size_t x_stride,
                           std::size_t d_stride, std::size_t g_stride) {
  return Gemm(Shape{rows, in, out, x_stride, d_stride, g_stride, true});
}

// libxsmm is column-major: its A (m x k) is our second factor, its B our X, its C our result, with m = out.
Gemm::Gemm(const Shape& shape) : shape_(shape) {
#ifdef MIRRORBALL_LIBXSMM
  if (!cpu_level().jit || shape.rows == 0 || shape.in == 0 || shape.out == 0) return;
  const auto blas = [](std::size_t n) { return static_cast<libxsmm_blasint>(n); };
  const libxsmm_blasint m = blas(shape.out), n = blas(shape.gradient ? shape.in : shape.rows),
                        k = blas(shape.gradient ? shape.rows : shape.in), lda = blas(shape.second_stride),
                        ldb = blas(shape.x_stride), ldc = blas(shape.result_stride);
  const float one = 1.0f, beta = shape.gradient ? 1.0f : 0.0f;
  const int flags = shape.gradient ? LIBXSMM_GEMM_FLAG_TRANS_B : LIBXSMM_GEMM_FLAG_NONE;
  generated_ = libxsmm_smmdispatch(m, n, k, &lda, &ldb, &ldc, &one, &beta, &flags, nullptr);
#endif
}

void Gemm::operator()(const float* x, const float* second, float* result) const {
  if (generated_) return generated_(second, x, result);
  const Shape& s = shape_;
  const In X(x, index(s.rows), index(s.in), Stride(index(s.x_stride)));
  if (s.gradient) {
    const In D(second, index(s.rows), index(s.out), Stride(index(s.second_stride)));
    Out(result, index(s.in), index(s.out), Stride(index(s.result_stride))).noalias() += X.transpose() * D;
  } else {
    const In W(second, index(s.in), index(s.out), Stride(index(s.second_stride)));
    Out(result, index(s.rows), index(s.out), Stride(index(s.result_stride))).noalias() = X * W;
  }
}

void transpose(const float* w, std::size_t in, std::size_t out, std::size_t w_stride, float* wt,
               std::size_t wt_stride) {
  constexpr std::size_t kBlock = 16;
  for (std::size_t i0 = 0; i0 < in; i0 += kBlock)
    for (std::size_t o0 = 0; o0 < out; o0 += kBlock)
      for (std::size_t i = i0; i < std::min(in, i0 + kBlock); ++i)
        for (std::size_t o = o0; o < std::min(out, o0 + kBlock); ++o)
          wt[o * wt_stride + i] = w[i * w_stride + o];
}

}  // namespace mirrorball::kernels
