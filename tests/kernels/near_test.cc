#include "kernels/near.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace mirrorball {
namespace {

using kernels::kNearBlock;
using kernels::kPlaceDims;

std::vector<float> random_floats(std::size_t count, std::uint32_t part) {
  std::vector<float> values(count);
  Stream random(3, Purpose::kTest, part);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

// Whole blocks, a part of one, and less than a vector. Not nearly: to the bit.
constexpr std::size_t kCounts[] = {3, 64, 200, 333};

TEST(Kernels, RowsNearAPlaceAreThoseOfPlainLoops) {
  for (const std::size_t count : kCounts) {
    std::vector<float> apart = random_floats(count, 1), plain = apart;
    const std::vector<float> norms = random_floats(count, 2);
    const std::size_t blocks = (count + kNearBlock - 1) / kNearBlock;
    std::vector<float> least(blocks), beyond(count + kPlaceDims);
    std::vector<std::uint32_t> rows(count + kPlaceDims);
    const float nearest = kernels::add_and_least(apart.data(), norms.data(), count, least.data());
    for (std::size_t i = 0; i < count; ++i) plain[i] += norms[i];
    EXPECT_EQ(apart, plain);
    EXPECT_EQ(nearest, *std::ranges::min_element(plain));
    for (std::size_t b = 0; b < blocks; ++b)
      EXPECT_EQ(least[b], *std::min_element(plain.begin() + static_cast<std::ptrdiff_t>(b * kNearBlock),
                                            plain.begin() + static_cast<std::ptrdiff_t>(
                                                                std::min(count, (b + 1) * kNearBlock))));

    for (const float far : {0.5f, 1.5f, 100.0f}) {
      const std::size_t found =
          kernels::rows_within(apart.data(), count, least.data(), nearest, far, rows.data(), beyond.data());
      std::size_t expected = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!(plain[i] - nearest < far)) continue;
        ASSERT_LT(expected, found);
        EXPECT_EQ(rows[expected], i);
        EXPECT_EQ(beyond[expected++], plain[i] - nearest);
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Kernels, BlockDistancesAreThoseOfPlainLoops) {
  for (const std::size_t count : kCounts) {
    const std::vector<float> places = random_floats(count * kPlaceDims, 1), z = random_floats(kPlaceDims, 2);
    for (std::size_t begin = 0; begin < count; begin += kNearBlock) {
      const std::size_t end = std::min(count, begin + kNearBlock);
      std::vector<float> distances(end - begin), plain(end - begin);
      const float least =
          kernels::block_distances(places.data(), count, begin, end, z.data(), distances.data());
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t d = 0; d < kPlaceDims; ++d) {
          const float off = places[d * count + i] - z[d];
          plain[i - begin] += off * off;
        }
      EXPECT_EQ(distances, plain);
      EXPECT_EQ(least, *std::ranges::min_element(plain));
    }
  }
}

TEST(Kernels, SlopesByPlacesAreThoseOfPlainLoops) {
  constexpr std::size_t kRows = 37;
  const std::vector<float> places = random_floats(kRows * kPlaceDims, 1), z = random_floats(kPlaceDims, 2),
                           numbers = random_floats(kRows, 3);
  std::vector<float> slopes = random_floats(kRows * kPlaceDims, 4), own = random_floats(kPlaceDims, 5),
                     plain = slopes, plain_own = own;
  std::vector<kernels::NearRow> near;
  for (std::uint32_t row = 0; row < kRows; row += 3) near.push_back({row, 1, numbers[row]});
  constexpr std::size_t kFirst = 5;  // earlier rows are none of these slopes
  const auto from = std::ranges::find_if(near, [](const kernels::NearRow& one) { return one.row >= kFirst; });
  kernels::add_slopes(&*from, static_cast<std::size_t>(near.end() - from), places.data(), z.data(), kFirst,
                      slopes.data() + kFirst * kPlaceDims);
  kernels::subtract_slopes(near.data(), near.size(), places.data(), z.data(), own.data());
  for (const kernels::NearRow& one : near)
    for (std::size_t d = 0; d < kPlaceDims; ++d) {
      const float slope = 2 * one.slope * (places[one.row * kPlaceDims + d] - z[d]);
      if (one.row >= kFirst) plain[one.row * kPlaceDims + d] += slope;
      plain_own[d] -= slope;
    }
  EXPECT_EQ(slopes, plain);
  EXPECT_EQ(own, plain_own);

  std::vector<float> sum = random_floats(100, 6), expected = sum;
  const std::vector<float> added = random_floats(100, 7);
  kernels::add_to(sum.data(), added.data(), 99);
  for (std::size_t i = 0; i < 99; ++i) expected[i] += added[i];
  EXPECT_EQ(sum, expected);
}

}  // namespace
}  // namespace mirrorball
