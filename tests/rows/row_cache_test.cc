#include "rows/row_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/random.h"
#include "rows/shuffled_rows.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

/// A folder for caches, which must be empty at any time.
class RowCache : public testing::Test {
 protected:
  RowCache() : folder_(fs::temp_directory_path() / ("mirrorball_rows_" + std::to_string(getpid()))) {
    fs::create_directory(folder_);
  }
  ~RowCache() override { fs::remove_all(folder_); }

  /// Rows that tell their number: the first number of a row is it.
  static rows::MemoryRows made_rows(const rows::CacheLayout& layout, std::size_t count) {
    Stream random(1, Purpose::kTest);
    rows::MemoryRows made;
    made.inputs = rows::EncodedRows(count, layout.numbers, layout.codes);
    made.targets = Buffer<float>(count * layout.targets);
    made.weights = Buffer<float>(count);
    for (float& value : made.inputs.numbers) value = static_cast<float>(random.normal());
    for (std::size_t row = 0; row < count; ++row)
      made.inputs.numbers[row * layout.numbers] = static_cast<float>(row);
    const std::uint32_t codes = layout.wide_codes ? 1u << 20 : rows::CacheLayout::kMostNarrowRows;
    for (std::int32_t& code : made.inputs.codes) code = static_cast<std::int32_t>(random.below(codes)) - 1;
    if (layout.codes > 0) made.inputs.codes[0] = static_cast<std::int32_t>(codes) - 1;
    for (float& value : made.targets) value = static_cast<float>(random.normal());
    for (float& value : made.weights) value = layout.weights ? random.uniform() : 1;
    return made;
  }

  std::shared_ptr<const rows::RowCache> cached(const rows::MemoryRows& rows,
                                               const rows::CacheLayout& layout) {
    rows::RowCacheWriter writer(folder_.string(), layout, rows.size());
    std::vector<std::size_t> which(rows.size());
    std::iota(which.begin(), which.end(), std::size_t{0});
    const std::size_t first = which.size() / 3;  // blocks of any size
    writer.add(rows, std::span(which).first(first));
    writer.add(rows, std::span(which).subspan(first));
    EXPECT_TRUE(fs::is_empty(folder_)) << "the file has a name";
    return writer.finish();
  }

  const fs::path folder_;
};

/// Everything of the rows that a store gives.
struct Gathered {
  std::vector<float> numbers, targets, weights;
  std::vector<std::int32_t> codes;

  Gathered(const rows::RowStore& store, std::span<const rows::RowNumber> which,
           const rows::CacheLayout& layout)
      : numbers(which.size() * (layout.numbers + 3)),
        targets(which.size() * layout.targets),
        weights(which.size()),
        codes(which.size() * layout.codes) {
    store.gather(which, {numbers.data(), layout.numbers + 3, codes.data(), targets.data(), weights.data()});
  }
  bool operator==(const Gathered&) const = default;
};

TEST_F(RowCache, RowsAreKeptToTheBit) {
  for (const bool wide : {false, true})
    for (const bool weights : {false, true}) {
      const rows::CacheLayout layout{
          .numbers = 3, .codes = 3, .targets = 2, .weights = weights, .wide_codes = wide};
      EXPECT_EQ(layout.row_bytes(), 4u * (5 + weights) + (wide ? 12 : 8));
      const rows::MemoryRows rows = made_rows(layout, 1000);
      const auto cache = cached(rows, layout);
      ASSERT_EQ(cache->rows(), 1000u);
      rows::ShuffledRows shuffled(*cache, rows, 2048, 7, 0);
      shuffled.begin_epoch(0);
      const std::span<const rows::RowNumber> batch = shuffled.batch(0, 1000);
      const Gathered found(shuffled, batch, layout);
      std::vector<rows::RowNumber> which;
      for (std::size_t i = 0; i < batch.size(); ++i)
        which.push_back(static_cast<rows::RowNumber>(found.numbers[i * (layout.numbers + 3)]));
      EXPECT_TRUE(found == Gathered(rows, which, layout)) << wide << weights;
      // Rows in memory are numbered behind the others.
      std::vector<rows::RowNumber> behind;
      for (const rows::RowNumber row : which) behind.push_back(shuffled.number_of(row));
      EXPECT_TRUE(found == Gathered(shuffled, behind, layout)) << wide << weights;
    }
}

/// The rows of an epoch in their order, from place `begin` on.
std::vector<std::size_t> order_of(rows::ShuffledRows& shuffled, std::size_t rows, std::uint32_t epoch,
                                  std::size_t batch, std::size_t begin = 0) {
  const rows::CacheLayout layout{.numbers = 1};
  std::vector<std::size_t> order;
  shuffled.begin_epoch(epoch);
  for (; begin < rows; begin += batch) {
    const auto which = shuffled.batch(begin, std::min(rows, begin + batch));
    const Gathered found(shuffled, which, layout);
    for (std::size_t i = 0; i < which.size(); ++i)
      order.push_back(static_cast<std::size_t>(found.numbers[i * 4]));
  }
  return order;
}

TEST_F(RowCache, AnEpochHasEveryRowOnceInAnOrderOfItsOwn) {
  constexpr std::size_t kRows = 10 * 4096 + 777;  // eleven groups, and a short block somewhere
  const rows::CacheLayout layout{.numbers = 1};
  const rows::MemoryRows rows = made_rows(layout, kRows);
  const auto cache = cached(rows, layout);
  rows::ShuffledRows one(*cache, rows, 4096, 7, 0), again(*cache, rows, 4096, 7, 0),
      other(*cache, rows, 4096, 7, 1);
  const std::vector<std::size_t> order = order_of(one, kRows, 0, 100);
  std::vector<std::size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < kRows; ++i) ASSERT_EQ(sorted[i], i);
  EXPECT_EQ(order_of(again, kRows, 0, 3000), order) << "the order depends on the batches";
  EXPECT_NE(order_of(one, kRows, 1, 100), order);
  EXPECT_NE(order_of(other, kRows, 0, 100), order);
  // Going on in the middle of an epoch, as a resumed fit does.
  EXPECT_EQ(order_of(one, kRows, 0, 100, 23400),
            std::vector<std::size_t>(order.begin() + 23400, order.end()));
  // Rows that were neighbours are spread over their group: of two that follow each other few were so before.
  std::size_t neighbours = 0;
  for (std::size_t i = 1; i < kRows; ++i) neighbours += order[i] == order[i - 1] + 1;
  EXPECT_LT(neighbours, 30u);
  // A group has rows of all parts of the table.
  const auto [least, most] = std::minmax_element(order.begin(), order.begin() + 4096);
  EXPECT_GT(*most - *least, kRows / 2);
}

TEST_F(RowCache, AFolderThatIsNotThereIsNamed) {
  try {
    rows::RowCacheWriter("/nowhere/at all", {.numbers = 1}, 10);
    FAIL() << "a folder that is not there was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "cannot write the cache of a table larger than memory in /nowhere/at all: No such file or directory");
  }
}

}  // namespace
}  // namespace mirrorball
