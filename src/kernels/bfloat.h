#pragma once

#include <cstddef>
#include <cstdint>

namespace mirrorball::kernels {

/// Products of bfloat16 numbers (the upper half of a float, 8 bits of mantissa) with sums in float: twice as
/// fast where the CPU has an instruction for pairs of them. A pair is two bfloat16 in 32 bits, the lower half
/// first; pairs[i][j] of a matrix m holds m[2i][j] and m[2i + 1][j].
using Bfloat = std::uint16_t;
using BfloatPair = std::uint32_t;

/// out[i] = x[i], rounded to the nearest, ties to even.
void to_bfloat(const float* x, std::size_t count, Bfloat* out);

/// pairs[count][width] of x[rows][width], with `count` at least rows / 2 rounded up; rows beyond the last are
/// 0.
void to_pairs(const float* x, std::size_t rows, std::size_t width, std::size_t count, BfloatPair* pairs);

/// The same, transposed: out[width][count]. Read as Bfloat this is the transpose of x.
void to_transposed_pairs(const float* x, std::size_t rows, std::size_t width, std::size_t count,
                         BfloatPair* out);

/// `rows` rounded up to what the depth of a product must be a multiple of at this CPU level.
std::size_t bfloat_depth(std::size_t rows);

/// A product of one shape, prepared once. Row-major, back to back:
///
///   forward           Y[rows][out]  = X[rows][in] W[in][out], from bfloats of X and pairs of W
///   weight_gradient   G[in][out]   += X[rows][in]' D[rows][out], from the transpose of X and pairs of D
///
/// `in` of forward and `rows` of weight_gradient: multiples of bfloat_depth are the fastest, odd ones slow.
/// Fast only where cpu_level().bfloat.
class BfloatGemm {
 public:
  BfloatGemm() = default;
  static BfloatGemm forward(std::size_t rows, std::size_t in, std::size_t out);
  static BfloatGemm weight_gradient(std::size_t rows, std::size_t in, std::size_t out);

  void operator()(const Bfloat* x, const BfloatPair* second, float* result) const;

 private:
  /// result[lines][out] (+)= x[lines][depth] second[depth][out]
  struct Shape {
    std::size_t lines = 0, depth = 0, out = 0;
    bool adds = false;
  };
  explicit BfloatGemm(const Shape& shape);

  using Generated = void (*)(const void*, const void*, void*, ...);
  Shape shape_;
  Generated generated_ = nullptr;  ///< libxsmm's code for this shape, if there is any
  bool amx_ = false;               ///< by AMX tiles, which take whole tiles only
};

}  // namespace mirrorball::kernels
