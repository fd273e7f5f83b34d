#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/buffer.h"
#include "base/normal.h"
#include "base/random.h"
#include "base/suggest.h"
#include "base/utf8.h"

namespace mirrorball {
namespace {

TEST(Stream, PhiloxKnownAnswer) {
  // Random123's known answer for Philox4x32-10 with counter and key all zero.
  Stream random(0, Purpose::kInit);
  EXPECT_EQ(random.bits(), 0x6627e8d5u);
  EXPECT_EQ(random.bits(), 0xe169c58du);
  EXPECT_EQ(random.bits(), 0xbc57ac4cu);
  EXPECT_EQ(random.bits(), 0x9b00dbd8u);
}

TEST(Stream, KeysGiveDifferentNumbers) {
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 40})
    for (Purpose purpose : {Purpose::kNoise, Purpose::kShuffle})
      for (std::uint32_t a : {0u, 1u})
        for (std::uint32_t b : {0u, 1u})
          for (std::uint32_t c : {0u, 1u}) seen.insert(Stream(seed, purpose, a, b, c).bits());
  EXPECT_EQ(seen.size(), 48u);
}

TEST(Stream, MomentsAndRanges) {
  Stream random(7, Purpose::kTest);
  double mean = 0, normal_mean = 0, normal_square = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform_double(), z = random.normal();
    ASSERT_TRUE(u >= 0 && u < 1);
    ASSERT_LT(random.uniform(), 1.0f);
    ASSERT_LT(random.below(7), 7u);
    mean += u / n;
    normal_mean += z / n;
    normal_square += z * z / n;
  }
  EXPECT_NEAR(mean, 0.5, 0.004);
  EXPECT_NEAR(normal_mean, 0, 0.01);
  EXPECT_NEAR(normal_square, 1, 0.015);
}

TEST(Normal, QuantileInvertsTheDistribution) {
  for (double p : {1e-12, 1e-7, 0.001, 0.2, 0.5, 0.7, 0.999, 1 - 1e-7})
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1.0, 1e-12) << p;
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-7), -5.199337582192817, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0.0, 1e-16);
}

TEST(Normal, TheFastCdfIsTheCdf) {
  for (double z = -9; z < 9; z += 0.00123) ASSERT_NEAR(fast_normal_cdf(z), normal_cdf(z), 2e-11) << z;
  EXPECT_EQ(fast_normal_cdf(INFINITY), 1.0);
  EXPECT_EQ(fast_normal_cdf(-INFINITY), 0.0);
}

TEST(Buffer, ZeroedAlignedAndMovable) {
  for (std::size_t size : {1u, 100u, 100000u, 3000000u}) {
    Buffer<float> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    for (float value : buffer) ASSERT_EQ(value, 0.0f);
    buffer[size - 1] = 3.0f;
    const Buffer<float> other(std::move(buffer));
    EXPECT_EQ(other[size - 1], 3.0f);
    EXPECT_EQ(other.size(), size);
  }
}

TEST(Suggest, NearNames) {
  const std::vector<std::string> names = {"width", "learning_rate", "Price"};
  EXPECT_EQ(did_you_mean("widht", names), "; did you mean 'width'?");
  EXPECT_EQ(did_you_mean("price", names), "; did you mean 'Price'?");
  EXPECT_EQ(did_you_mean("banana", names), "");
  EXPECT_EQ(did_you_mean(std::string(30'000'000, 'w'), names), "") << "and at once";
  EXPECT_EQ(listing(names, 2), "width, learning_rate and 1 more");
}

TEST(Utf8, OtherBytesAreTakenAsLatin1) {
  for (const char* text : {"", "plain", "K\xC3\xB6ln", "\xE2\x82\xAC", "\xF0\x9F\xAA\xA9"})
    EXPECT_EQ(as_utf8(text), text);
  EXPECT_EQ(as_utf8("K\xF6ln"), "K\xC3\xB6ln");
  // Overlong, surrogate, cut short, beyond the last code point.
  for (const char* text : {"\xC0\xAF", "\xED\xA0\x80", "\xE2\x82", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_NE(as_utf8(text), text);
    EXPECT_EQ(as_utf8(as_utf8(text)), as_utf8(text));
  }
}

}  // namespace
}  // namespace mirrorball
