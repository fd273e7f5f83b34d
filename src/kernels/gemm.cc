#include "kernels/gemm.h"

#include <algorithm>

#include "kernels/executable.h"
#include "kernels/level.h"
#include "kernels/portable_gemm.h"

#ifdef MIRRORBALL_LIBXSMM
#include <libxsmm.h>
#endif

namespace mirrorball::kernels {

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
  if (!is_executable(reinterpret_cast<const void*>(generated_))) generated_ = nullptr;
#endif
}

void Gemm::operator()(const float* x, const float* second, float* result) const {
  if (generated_) return generated_(second, x, result);
  const Shape& s = shape_;
  portable_gemm(
      s.gradient ? PortableShape{s.in, s.rows, s.out, 1, s.x_stride, s.second_stride, s.result_stride, true}
                 : PortableShape{s.rows, s.in, s.out, s.x_stride, 1, s.second_stride, s.result_stride},
      x, second, result);
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
