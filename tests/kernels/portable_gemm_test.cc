#include "kernels/portable_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/buffer.h"
#include "base/random.h"

namespace mirrorball {
namespace {

Buffer<float> normals(std::size_t size, std::uint32_t part) {
  Buffer<float> values(size);
  Stream random(2, Purpose::kTest, part);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

/// The formula of the header in double precision.
double slow_element(const kernels::PortableShape& s, const float* a, const float* b, std::size_t i,
                    std::size_t j, double start) {
  double sum = s.adds ? start : 0;
  for (std::size_t k = 0; k < s.depth; ++k)
    sum += static_cast<double>(a[i * s.line_step + k * s.depth_step]) *
           static_cast<double>(b[k * s.b_stride + j]);
  return sum;
}

/// Every count of columns has its own mixture of whole vectors, half ones and single lanes; two columns of
/// the stride lie beyond `out`, and must stay as they are.
TEST(Kernels, PortableProducts) {
  for (std::size_t out = 1; out <= 40; ++out)
    for (std::size_t lines : {1u, 5u, 6u, 7u, 20u})
      for (bool transposed : {false, true}) {
        const std::size_t depth = 1 + out % 9, stride = out + 2;
        const Buffer<float> a = normals(lines * depth, 1), b = normals(depth * stride, 2),
                            start = normals(lines * stride, 3);
        const kernels::PortableShape shape{
            lines, depth, out, transposed ? 1 : depth, transposed ? lines : 1, stride, stride, transposed};
        Buffer<float> result(start.size());
        std::copy(start.begin(), start.end(), result.begin());
        kernels::portable_gemm(shape, a.data(), b.data(), result.data());
        for (std::size_t i = 0; i < lines; ++i)
          for (std::size_t j = 0; j < stride; ++j) {
            const std::size_t at = i * stride + j;
            if (j < out)
              ASSERT_NEAR(result[at], slow_element(shape, a.data(), b.data(), i, j, start[at]), 1e-5);
            else
              ASSERT_EQ(result[at], start[at]);
          }
      }
}

/// A row of a product does not depend on the rows beside it, bit for bit: how rows are cut into tiles is then
/// of no consequence.
TEST(Kernels, PortableProductsOfARowAlone) {
  const std::size_t lines = 128, n = 128;
  const Buffer<float> a = normals(lines * n, 1), b = normals(n * n, 2);
  Buffer<float> all(lines * n), one(n);
  kernels::portable_gemm({lines, n, n, n, 1, n, n}, a.data(), b.data(), all.data());
  for (std::size_t i = 0; i < lines; ++i) {
    kernels::portable_gemm({1, n, n, n, 1, n, n}, a.data() + i * n, b.data(), one.data());
    ASSERT_EQ(std::memcmp(one.data(), all.data() + i * n, n * sizeof(float)), 0);
  }
}

/// Of nothing: empty arrays have no address, and the sanitizers see when one is reckoned from it.
TEST(Kernels, PortableProductsOfNothing) {
  const std::size_t n = 40;
  const Buffer<float> b = normals(n * n, 1);
  kernels::portable_gemm({0, n, n, n, 1, n, n}, nullptr, b.data(), nullptr);
  Buffer<float> sum = normals(n * n, 2), before = normals(n * n, 2);
  kernels::portable_gemm({n, 0, n, 1, n, n, n, true}, nullptr, nullptr, sum.data());
  EXPECT_EQ(std::memcmp(sum.data(), before.data(), n * n * sizeof(float)), 0);
}

}  // namespace
}  // namespace mirrorball
