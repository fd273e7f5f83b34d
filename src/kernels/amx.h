#pragma once

#include <cstddef>

#include "kernels/bfloat.h"

namespace mirrorball::kernels {

/// Whether this CPU has AMX tiles for bfloat16 and Linux lets this process use them. Asks for the permission
/// on the first call; it then holds for all threads.
bool may_use_amx();

/// Numbers of a product's depth that a tile takes.
inline constexpr std::size_t kAmxDepth = 32;
/// Lines and columns of a tile of the result.
inline constexpr std::size_t kAmxSide = 16;

///   result[lines][out] = X[lines][depth] W[depth][out], or += with `adds`
///
/// from bfloats of X and pairs of W, all back to back. `depth` must be a multiple of kAmxDepth and `out` of
/// kAmxSide. Only where may_use_amx().
void amx_gemm(std::size_t lines, std::size_t depth, std::size_t out, bool adds, const Bfloat* x,
              const BfloatPair* second, float* result);

}  // namespace mirrorball::kernels
