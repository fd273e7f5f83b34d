#pragma once

#include <cstddef>

namespace mirrorball::kernels {

/// A product of one shape, prepared once and called for every tile. Matrices are row-major:
///
///   forward           Y[rows][out]  = X[rows][in] W[in][out]
///   weight_gradient   G[in][out]   += X[rows][in]' D[rows][out]
///
/// The gradient of the input is a forward product with the transposed weights. Strides are the number of
/// floats from row to row.
class Gemm {
 public:
  Gemm() = default;
  static Gemm forward(std::size_t rows, std::size_t in, std::size_t out, std::size_t x_stride,
                      std::size_t w_stride, std::size_t y_stride);
  static Gemm weight_gradient(std::size_t rows, std::size_t in, std::size_t out, std::size_t x_stride,
                              std::size_t d_stride, std::size_t g_stride);

  /// forward: (X, W, Y); weight_gradient: (X, D, G).
  void operator()(const float* x, const float* second, float* result) const;

 private:
  struct Shape {
    std::size_t rows = 0, in = 0, out = 0, x_stride = 0, second_stride = 0, result_stride = 0;
    bool gradient = false;
  };
  explicit Gemm(const Shape& shape);

  using Generated = void (*)(const float*, const float*, float*, ...);
  Shape shape_;
  Generated generated_ = nullptr;  ///< libxsmm's code for this shape, if any; otherwise portable_gemm
};

/// Wt[out][in] = W[in][out]'.
void transpose(const float* w, std::size_t in, std::size_t out, std::size_t w_stride, float* wt,
               std::size_t wt_stride);

}  // namespace mirrorball::kernels
