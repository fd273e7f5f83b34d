#include "base/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/float_order.h"
#include "base/reservoir.h"
#include "base/sample_rows.h"

namespace mirrorball {
namespace {

TEST(OrderStatistics, QuantilesLieBetweenNeighbours) {
  const std::vector<double> sorted = {1, 2, 4, 8};
  EXPECT_EQ(sorted_quantile(sorted, 0), 1);
  EXPECT_EQ(sorted_quantile(sorted, 1), 8);
  EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 0.5), 3);
  EXPECT_DOUBLE_EQ(sorted_quantile(sorted, 0.9), 6.8);
  EXPECT_EQ(sorted_quantile(std::vector<double>{5}, 0.3), 5);
  EXPECT_THROW(sorted_quantile(sorted, 1.1), std::invalid_argument);
  const Place end = place_at(3, 4);
  EXPECT_EQ(end.below, 3u);
  EXPECT_EQ(end.above, 3u);
  EXPECT_EQ(end.weight, 0);
}

TEST(OrderStatistics, MediansOfOddAndEvenCounts) {
  std::vector<double> odd = {9, 1, 5}, even = {8, 1, 4, 2};
  EXPECT_EQ(median(odd), 5);
  EXPECT_EQ(median(even), 3);
  EXPECT_EQ(sorted_median(sorted_copy(even)), 3);
  EXPECT_EQ(sorted_median(sorted_copy(odd)), 5);
}

TEST(FloatOrder, KeysOrderAsTheFloatsDo) {
  const std::vector<float> ascending = {-INFINITY, -3e30f, -2, -1e-40f, 0, 1e-40f, 0.5f, 7, INFINITY};
  for (std::size_t i = 1; i < ascending.size(); ++i)
    EXPECT_LT(sort_key(ascending[i - 1], 9), sort_key(ascending[i], 3)) << ascending[i];
  EXPECT_LT(sort_key(2, 3), sort_key(2, 4)) << "ties keep their order";
  EXPECT_EQ(place_of(sort_key(-2, 0xfffffffe)), 0xfffffffeu);
}

TEST(SampleRows, AreDifferentInOrderAndSpreadOverAll) {
  EXPECT_EQ(sample_rows(3, 5, Stream(0, Purpose::kTest)), (std::vector<std::size_t>{0, 1, 2}));
  std::vector<std::size_t> met(10, 0);
  for (std::uint32_t part = 0; part < 300; ++part) {
    const std::vector<std::size_t> rows = sample_rows(10, 4, Stream(0, Purpose::kTest, part));
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 4u);
    for (const std::size_t row : rows) ++met.at(row);
  }
  for (const std::size_t count : met) EXPECT_NEAR(static_cast<double>(count), 120, 40);
}

TEST(Reservoir, KeepsTheSmallestKeysWhateverTheOrder) {
  std::vector<std::size_t> rows(1000);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto kept = [](const std::vector<std::size_t>& order, std::size_t most) {
    Reservoir<std::size_t> reservoir(most);
    for (const std::size_t row : order) {
      const std::uint64_t key = row_key(1, Purpose::kTest, 0, row);
      if (reservoir.takes(key)) reservoir.add(key, row);
    }
    std::vector<std::size_t> found = reservoir.take();
    std::sort(found.begin(), found.end());
    return found;
  };
  const std::vector<std::size_t> some = kept(rows, 100), backwards = kept({rows.rbegin(), rows.rend()}, 100);
  EXPECT_EQ(some.size(), 100u);
  EXPECT_EQ(some, backwards);
  const double mean = std::accumulate(some.begin(), some.end(), 0.0) / 100;
  EXPECT_NEAR(mean, 500, 4 * 289 / std::sqrt(100.0)) << "a fair sample";
  EXPECT_EQ(kept(rows, 1000), rows);
  EXPECT_EQ(kept(rows, 5000), rows);
}

}  // namespace
}  // namespace mirrorball
