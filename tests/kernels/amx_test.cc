#include "kernels/amx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/buffer.h"
#include "base/random.h"

namespace mirrorball {
namespace {

double widened_double(kernels::Bfloat value) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16));
}

Buffer<float> made_normals(std::size_t size, std::uint32_t part) {
  Buffer<float> values(size);
  Stream random(3, Purpose::kTest, part);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

/// All heights of the last block, odd and even numbers of tiles side by side. The line after the last must
/// stay as it is.
TEST(Kernels, ProductsInAmxTiles) {
  if (!kernels::may_use_amx()) GTEST_SKIP() << "this CPU has no AMX, or the system does not allow it";
  for (std::size_t lines = 1; lines <= 70; ++lines)
    for (std::size_t out : {16u, 32u, 48u})
      for (bool adds : {false, true}) {
        const std::size_t depth = lines % 2 ? 32 : 96;
        const Buffer<float> x = made_normals(lines * depth, 1), w = made_normals(depth * out, 2),
                            start = made_normals((lines + 1) * out, 3);
        Buffer<kernels::Bfloat> x_rounded(x.size()), w_rounded(w.size());
        Buffer<kernels::BfloatPair> pairs(w.size() / 2);
        kernels::to_bfloat(x.data(), x.size(), x_rounded.data());
        kernels::to_bfloat(w.data(), w.size(), w_rounded.data());
        kernels::to_pairs(w.data(), depth, out, depth / 2, pairs.data());
        Buffer<float> result(start.size());
        std::copy(start.begin(), start.end(), result.begin());
        kernels::amx_gemm(lines, depth, out, adds, x_rounded.data(), pairs.data(), result.data());
        for (std::size_t i = 0; i < lines; ++i)
          for (std::size_t j = 0; j < out; ++j) {
            double sum = adds ? static_cast<double>(start[i * out + j]) : 0.0;
            for (std::size_t k = 0; k < depth; ++k)
              sum += widened_double(x_rounded[i * depth + k]) * widened_double(w_rounded[k * out + j]);
            ASSERT_NEAR(result[i * out + j], sum, 2e-4) << lines << " x " << out;
          }
        for (std::size_t j = 0; j < out; ++j) ASSERT_EQ(result[lines * out + j], start[lines * out + j]);
      }
}

}  // namespace
}  // namespace mirrorball
