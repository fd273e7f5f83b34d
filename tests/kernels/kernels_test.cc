#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "base/buffer.h"
#include "base/random.h"
#include "kernels/activation.h"
#include "kernels/adam.h"
#include "kernels/bfloat.h"
#include "kernels/cosine.h"
#include "kernels/gemm.h"
#include "kernels/head.h"
#include "kernels/level.h"
#include "kernels/merge.h"
#include "reference/slow_network.h"

namespace mirrorball {
namespace {

Buffer<float> random_buffer(std::size_t size, std::uint32_t part, double scale = 1.0) {
  Buffer<float> values(size);
  Stream random(1, Purpose::kTest, part);
  for (float& value : values) value = static_cast<float>(scale * random.normal());
  return values;
}

constexpr kernels::Act kActs[] = {kernels::Act::kIdentity, kernels::Act::kRelu, kernels::Act::kSelu,
                                  kernels::Act::kTanh,     kernels::Act::kGcu,  kernels::Act::kSilu};

TEST(Kernels, ActivationValueAndSlope) {
  const std::size_t rows = 37, width = 48;
  for (kernels::Act act : kActs) {
    const Buffer<float> z = random_buffer(rows * width, 1, 4.0), bias = random_buffer(width, 2),
                        gradient = random_buffer(rows * width, 3), start = random_buffer(width, 4);
    Buffer<float> h(z.size()), slope(z.size()), d(z.size()), bias_gradient(width);
    std::copy(z.begin(), z.end(), h.begin());
    std::copy(gradient.begin(), gradient.end(), d.begin());
    std::copy(start.begin(), start.end(), bias_gradient.begin());
    kernels::activate(act, h.data(), bias.data(), kernels::keeps_derivative(act) ? slope.data() : nullptr,
                      rows, width);
    kernels::activate_backward(act, d.data(), h.data(), slope.data(), bias_gradient.data(), rows, width);
    std::vector<double> sums(start.begin(), start.end());
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double input = static_cast<double>(z[i] + bias[i % width]);
      EXPECT_NEAR(h[i], slow::act(act, input), 2e-6 * (1 + std::fabs(input)))
          << static_cast<int>(act) << " " << input;
      const double expected = static_cast<double>(gradient[i]) * slow::act_slope(act, input);
      EXPECT_NEAR(d[i], expected, 1e-5 * (1 + std::fabs(expected))) << static_cast<int>(act) << " " << input;
      sums[i % width] += expected;
    }
    for (std::size_t j = 0; j < width; ++j)
      EXPECT_NEAR(bias_gradient[j], sums[j], 2e-4) << static_cast<int>(act);
  }
}

TEST(Kernels, ActivationAtExtremesStaysFinite) {
  for (kernels::Act act : kActs) {
    Buffer<float> z(16), slope(16);
    const float extremes[] = {0.0f,    30.0f, -30.0f, 1e4f,   -1e4f,  1e-30f,
                              -1e-30f, 88.0f, -88.0f, 104.0f, -104.0f};
    std::copy(std::begin(extremes), std::end(extremes), z.begin());
    kernels::activate(act, z.data(), nullptr, slope.data(), 1, 16);
    EXPECT_EQ(z[0], 0.0f);  // padding relies on it
    for (std::size_t i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(z[i]) && std::isfinite(slope[i]));
  }
}

TEST(Kernels, TanhIsAccurateEverywhere) {
  Buffer<float> z(16 * 2048);
  for (std::size_t i = 0; i < z.size(); ++i)
    z[i] = -12.0f + 24.0f * static_cast<float>(i) / static_cast<float>(z.size());
  Buffer<float> h(z.size());
  std::copy(z.begin(), z.end(), h.begin());
  kernels::activate(kernels::Act::kTanh, h.data(), nullptr, nullptr, 2048, 16);
  for (std::size_t i = 0; i < z.size(); ++i)
    ASSERT_NEAR(h[i], std::tanh(static_cast<double>(z[i])), 4e-7) << z[i];
}

float widened(kernels::Bfloat value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value) << 16;
  float wide;
  std::memcpy(&wide, &bits, sizeof wide);
  return wide;
}

TEST(Kernels, BfloatsAreTheNearest) {
  Buffer<float> x = random_buffer(64, 1, 100.0);
  x[0] = 1.0f + 0x1p-8f;      // halfway: down to the even 1
  x[1] = 1.0f + 3 * 0x1p-8f;  // halfway: up to the even 1 + 2^-6
  x[2] = 1.0f + 1.01f * 0x1p-8f;
  x[3] = -0.0f;
  Buffer<kernels::Bfloat> rounded(64);
  kernels::to_bfloat(x.data(), 64, rounded.data());
  EXPECT_EQ(widened(rounded[0]), 1.0f);
  EXPECT_EQ(widened(rounded[1]), 1.0f + 0x1p-6f);
  EXPECT_EQ(widened(rounded[2]), 1.0f + 0x1p-7f);
  EXPECT_EQ(widened(rounded[3]), 0.0f);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_LE(std::fabs(widened(rounded[i]) - x[i]), 0x1p-8f * std::fabs(x[i]));
}

TEST(Kernels, PairsOfRowsAndTheirTranspose) {
  for (std::size_t rows : {1u, 2u, 7u, 40u, 128u}) {
    const std::size_t width = 48, filled = (rows + 1) / 2, count = filled + rows % 3;
    const Buffer<float> x = random_buffer(rows * width, 2);
    Buffer<kernels::Bfloat> rounded(x.size());
    Buffer<kernels::BfloatPair> pairs(count * width), transposed(count * width);
    std::fill(pairs.begin(), pairs.end(), 1u);
    std::fill(transposed.begin(), transposed.end(), 1u);
    kernels::to_bfloat(x.data(), x.size(), rounded.data());
    kernels::to_pairs(x.data(), rows, width, count, pairs.data());
    kernels::to_transposed_pairs(x.data(), rows, width, count, transposed.data());
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        const kernels::BfloatPair low = i < filled ? rounded[2 * i * width + j] : 0,
                                  high = 2 * i + 1 < rows ? rounded[(2 * i + 1) * width + j] : 0;
        ASSERT_EQ(pairs[i * width + j], low | high << 16);
        ASSERT_EQ(transposed[j * count + i], low | high << 16);
      }
  }
}

TEST(Kernels, ProductsOfBfloats) {
  for (std::size_t rows : {2u, 8u, 33u, 100u, 128u})
    for (std::size_t in : {16u, 32u, 48u, 128u}) {
      const std::size_t out = in == 32 ? 48 : 64, depth = kernels::bfloat_depth(rows);
      const Buffer<float> x = random_buffer(rows * in, 3), w = random_buffer(in * out, 4),
                          d = random_buffer(rows * out, 5), start = random_buffer(in * out, 6);
      Buffer<kernels::Bfloat> x_rounded(x.size()), w_rounded(w.size()), d_rounded(d.size());
      Buffer<kernels::BfloatPair> w_pairs(w.size() / 2), d_pairs(depth / 2 * out),
          x_transposed(depth / 2 * in);
      kernels::to_bfloat(x.data(), x.size(), x_rounded.data());
      kernels::to_bfloat(w.data(), w.size(), w_rounded.data());
      kernels::to_bfloat(d.data(), d.size(), d_rounded.data());
      kernels::to_pairs(w.data(), in, out, in / 2, w_pairs.data());
      kernels::to_pairs(d.data(), rows, out, depth / 2, d_pairs.data());
      kernels::to_transposed_pairs(x.data(), rows, in, depth / 2, x_transposed.data());
      Buffer<float> y(rows * out), g(in * out);
      std::copy(start.begin(), start.end(), g.begin());
      kernels::BfloatGemm::forward(rows, in, out)(x_rounded.data(), w_pairs.data(), y.data());
      kernels::BfloatGemm::weight_gradient(depth, in, out)(
          reinterpret_cast<const kernels::Bfloat*>(x_transposed.data()), d_pairs.data(), g.data());
      const auto at = [](const Buffer<kernels::Bfloat>& matrix, std::size_t i) {
        return static_cast<double>(widened(matrix[i]));
      };
      for (std::size_t o = 0; o < out; ++o) {
        for (std::size_t r = 0; r < rows; ++r) {
          double sum = 0;
          for (std::size_t i = 0; i < in; ++i) sum += at(x_rounded, r * in + i) * at(w_rounded, i * out + o);
          ASSERT_NEAR(y[r * out + o], sum, 2e-4);
        }
        for (std::size_t i = 0; i < in; ++i) {
          double sum = static_cast<double>(start[i * out + o]);
          for (std::size_t r = 0; r < rows; ++r)
            sum += at(x_rounded, r * in + i) * at(d_rounded, r * out + o);
          ASSERT_NEAR(g[i * out + o], sum, 2e-4);
        }
      }
    }
}

/// libxsmm has no code for them, whatever the CPU.
TEST(Kernels, ProductsOfBfloatsOfOddDepth) {
  constexpr std::size_t kRows = 5, kIn = 33, kOut = 48;
  const Buffer<float> x = random_buffer(kRows * kIn, 3), w = random_buffer(kIn * kOut, 4);
  Buffer<kernels::Bfloat> x_rounded(x.size()), w_rounded(w.size());
  Buffer<kernels::BfloatPair> w_pairs((kIn + 1) / 2 * kOut);
  kernels::to_bfloat(x.data(), x.size(), x_rounded.data());
  kernels::to_bfloat(w.data(), w.size(), w_rounded.data());
  kernels::to_pairs(w.data(), kIn, kOut, (kIn + 1) / 2, w_pairs.data());
  Buffer<float> y(kRows * kOut);
  kernels::BfloatGemm::forward(kRows, kIn, kOut)(x_rounded.data(), w_pairs.data(), y.data());
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t o = 0; o < kOut; ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < kIn; ++i)
        sum += static_cast<double>(widened(x_rounded[r * kIn + i]) * widened(w_rounded[i * kOut + o]));
      ASSERT_NEAR(y[r * kOut + o], sum, 1e-4);
    }
}

TEST(Kernels, Products) {
  for (std::size_t rows : {1u, 7u, 100u, 128u})
    for (std::size_t in : {1u, 8u, 81u, 128u}) {
      const std::size_t out = 48, x_stride = padded(in);
      const Buffer<float> x = random_buffer(rows * x_stride, 1), w = random_buffer(in * out, 2),
                          d = random_buffer(rows * out, 3), start = random_buffer(in * out, 4);
      Buffer<float> y(rows * out), g(in * out);
      std::copy(start.begin(), start.end(), g.begin());
      kernels::Gemm::forward(rows, in, out, x_stride, out, out)(x.data(), w.data(), y.data());
      kernels::Gemm::weight_gradient(rows, in, out, x_stride, out, out)(x.data(), d.data(), g.data());
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t o = 0; o < out; ++o) {
          double sum = 0;
          for (std::size_t i = 0; i < in; ++i)
            sum += static_cast<double>(x[r * x_stride + i]) * static_cast<double>(w[i * out + o]);
          ASSERT_NEAR(y[r * out + o], sum, 1e-4);
        }
      for (std::size_t i = 0; i < in; ++i)
        for (std::size_t o = 0; o < out; ++o) {
          double sum = static_cast<double>(start[i * out + o]);
          for (std::size_t r = 0; r < rows; ++r)
            sum += static_cast<double>(x[r * x_stride + i]) * static_cast<double>(d[r * out + o]);
          ASSERT_NEAR(g[i * out + o], sum, 1e-4);
        }
    }
}

TEST(Kernels, Transpose) {
  const std::size_t in = 21, out = 48;
  const Buffer<float> w = random_buffer(in * out, 1);
  Buffer<float> wt(out * 32);
  kernels::transpose(w.data(), in, out, out, wt.data(), 32);
  for (std::size_t i = 0; i < in; ++i)
    for (std::size_t o = 0; o < out; ++o) ASSERT_EQ(wt[o * 32 + i], w[i * out + o]);
}

TEST(Kernels, Merge) {
  const std::size_t samples = 3, draws = 5, width = 32, table = 4;
  const Buffer<float> psi = random_buffer(samples * width, 1), noise = random_buffer(table * width, 2),
                      du = random_buffer(samples * draws * width, 3), start = random_buffer(table * width, 4);
  const std::vector<std::uint32_t> index = {0, 1, 1, 3, 2, 2, 2, 0, 3, 1, 3, 3, 3, 3, 0};
  const kernels::MergeShape shape{samples, draws, width, index.data()};
  for (kernels::Merge kind : {kernels::Merge::kMultiply, kernels::Merge::kAdd}) {
    const bool multiply = kind == kernels::Merge::kMultiply;
    Buffer<float> u(du.size()), dpsi(psi.size()), dnoise(noise.size());
    std::copy(start.begin(), start.end(), dnoise.begin());
    kernels::merge(kind, shape, psi.data(), noise.data(), u.data());
    kernels::merge_backward(kind, shape, du.data(), psi.data(), noise.data(), dpsi.data(), dnoise.data());
    std::vector<double> psi_sum(psi.size(), 0.0), noise_sum(start.begin(), start.end());
    for (std::size_t i = 0; i < samples * draws; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        const double p = static_cast<double>(psi[i / draws * width + j]),
                     q = static_cast<double>(noise[index[i] * width + j]),
                     g = static_cast<double>(du[i * width + j]);
        EXPECT_NEAR(u[i * width + j], multiply ? p * q : p + q, 1e-6);
        psi_sum[i / draws * width + j] += multiply ? g * q : g;
        noise_sum[index[i] * width + j] += multiply ? g * p : g;
      }
    for (std::size_t i = 0; i < psi.size(); ++i) EXPECT_NEAR(dpsi[i], psi_sum[i], 1e-5);
    for (std::size_t i = 0; i < noise.size(); ++i) EXPECT_NEAR(dnoise[i], noise_sum[i], 1e-5);
  }
}

TEST(Kernels, MergeOfActiveUnits) {
  const std::size_t draws = 7, width = 48;
  const std::vector<std::uint32_t> index = {2, 0, 1, 1, 3, 2, 0};
  const Buffer<float> noise = random_buffer(4 * width, 2);
  for (std::size_t kept : {0u, 1u, 7u, 8u, 23u, 40u, 47u, 48u}) {
    Buffer<float> psi = random_buffer(width, 1), u(draws * width);
    for (std::size_t j = 0; j < width; ++j)
      if (j * 31 % width >= kept) psi[j] = 0;
    std::fill(u.begin(), u.end(), std::numeric_limits<float>::quiet_NaN());  // what was there before
    std::vector<std::uint32_t> units(width);
    ASSERT_EQ(kernels::merge_active({1, draws, width, index.data()}, psi.data(), noise.data(), u.data(),
                                    units.data()),
              kept);
    const std::size_t whole = std::max<std::size_t>(8, (kept + 7) / 8 * 8);
    for (std::size_t n = 0; n < draws; ++n)
      for (std::size_t k = 0; k < whole; ++k)
        EXPECT_EQ(u[n * width + k], k < kept ? psi[units[k]] * noise[index[n] * width + units[k]] : 0.0f)
            << kept << " of them, draw " << n << ", place " << k;
    for (std::size_t k = 0; k < kept; ++k) EXPECT_NE(psi[units[k]], 0.0f);
    EXPECT_TRUE(std::is_sorted(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(kept)));
  }
}

TEST(Kernels, Head) {
  for (std::size_t targets : {1u, 3u}) {
    const kernels::HeadShape shape{19, 48, targets};
    const Buffer<float> h = random_buffer(19 * 48, 1), w = random_buffer(targets * 48, 2),
                        b = random_buffer(targets, 3), dy = random_buffer(targets * 19, 4),
                        start = random_buffer(targets * 48, 5);
    Buffer<float> y(targets * 19), dh(19 * 48), dw(targets * 48), db(targets);
    std::copy(start.begin(), start.end(), dw.begin());
    kernels::head(shape, h.data(), w.data(), b.data(), y.data());
    kernels::head_backward(shape, dy.data(), h.data(), w.data(), dh.data(), dw.data(), db.data());
    for (std::size_t t = 0; t < targets; ++t) {
      double bias = 0;
      for (std::size_t r = 0; r < 19; ++r) {
        double sum = static_cast<double>(b[t]);
        for (std::size_t j = 0; j < 48; ++j)
          sum += static_cast<double>(h[r * 48 + j]) * static_cast<double>(w[t * 48 + j]);
        EXPECT_NEAR(y[t * 19 + r], sum, 1e-4);
        bias += static_cast<double>(dy[t * 19 + r]);
      }
      EXPECT_NEAR(db[t], bias, 1e-5);
    }
    for (std::size_t j = 0; j < 48; ++j) {
      for (std::size_t t = 0; t < targets; ++t) {
        double sum = static_cast<double>(start[t * 48 + j]);
        for (std::size_t r = 0; r < 19; ++r)
          sum += static_cast<double>(dy[t * 19 + r]) * static_cast<double>(h[r * 48 + j]);
        EXPECT_NEAR(dw[t * 48 + j], sum, 1e-4);
      }
      for (std::size_t r = 0; r < 19; ++r) {
        double sum = 0;
        for (std::size_t t = 0; t < targets; ++t)
          sum += static_cast<double>(dy[t * 19 + r]) * static_cast<double>(w[t * 48 + j]);
        EXPECT_NEAR(dh[r * 48 + j], sum, 1e-5);
      }
    }
  }
}

TEST(Kernels, CosinesOfNoise) {
  for (std::size_t dims : {1u, 2u, 3u}) {
    const std::size_t per_dim = 128 / dims, stride = padded(dims * per_dim), rows = 301;
    std::vector<float> points(rows * dims);
    Stream random(1, Purpose::kTest);
    for (float& value : points) value = random.uniform();
    points[0] = 0.0f;
    Buffer<float> out(rows * stride);
    std::fill(out.begin(), out.end(), -7.0f);
    kernels::cosine_features(points.data(), rows, dims, per_dim, out.data(), stride);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < dims * per_dim; ++k) {
        const double a = static_cast<double>(points[r * dims + k / per_dim]);
        ASSERT_NEAR(out[r * stride + k], std::cos(static_cast<double>(k % per_dim) * std::numbers::pi * a),
                    2e-6);
      }
      for (std::size_t k = dims * per_dim; k < stride; ++k) ASSERT_EQ(out[r * stride + k], -7.0f);
    }
  }
}

TEST(Kernels, Adam) {
  const std::size_t size = 64;
  const Buffer<float> lane0 = random_buffer(size, 1), lane1 = random_buffer(size, 2),
                      start = random_buffer(size, 3);
  Buffer<float> w(size), m(size), v(size), average(size);
  std::copy(start.begin(), start.end(), w.begin());
  std::copy(start.begin(), start.end(), average.begin());
  std::vector<double> sw(start.begin(), start.end()), sm(size, 0.0), sv(size, 0.0),
      sa(start.begin(), start.end());
  const float* lanes[] = {lane0.data(), lane1.data()};
  const double b1 = 0.9, b2 = 0.95, rate = 0.01, decay = 0.75;
  for (int t = 1; t <= 20; ++t) {
    const double c1 = 1 - std::pow(b1, t), c2 = 1 - std::pow(b2, t);
    const kernels::AdamStep step{static_cast<float>(rate), static_cast<float>(b1), static_cast<float>(b2),
                                 static_cast<float>(c1),   static_cast<float>(c2), static_cast<float>(decay)};
    kernels::adam(step, {w.data(), m.data(), v.data(), average.data()}, lanes, 16, size);
    for (std::size_t i = 16; i < size; ++i) {
      const double g = static_cast<double>(lane0[i]) + static_cast<double>(lane1[i]);
      sm[i] = b1 * sm[i] + (1 - b1) * g;
      sv[i] = b2 * sv[i] + (1 - b2) * g * g;
      sw[i] -= rate * (sm[i] / c1) / (std::sqrt(sv[i] / c2) + 1e-8);
      sa[i] = decay * sa[i] + (1 - decay) * sw[i];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_NEAR(w[i], sw[i], 2e-6);
    EXPECT_NEAR(average[i], sa[i], 2e-6);
  }
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(w[i], start[i]);  // outside of the range
}

}  // namespace
}  // namespace mirrorball
