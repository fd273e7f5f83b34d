#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "plan/rules.h"
#include "rows/row_cache.h"

namespace mirrorball::rows {

/// The rows of a cache as one network trains on them, epoch by epoch, in an order that depends on seed,
/// network and epoch alone: blocks of kBlockRows rows in a random order, and of so many blocks together, a
/// group, all rows in a random order. Two groups are in memory: the one in use, and the next, which a thread
/// of its own reads meanwhile.
///
/// As a row store it numbers the places of these two groups, and behind them the rows in `more`, which lie in
/// memory: those of the validation.
class ShuffledRows : public RowStore {
 public:
  static constexpr std::size_t kBlockRows = plan::kCacheBlockRows;

  /// `group_rows` is a multiple of kBlockRows. A batch has at most group_rows - kBlockRows rows.
  ShuffledRows(const RowCache& cache, const MemoryRows& more, std::size_t group_rows, std::uint64_t seed,
               std::uint32_t network);

  /// The number of a row of `more`.
  RowNumber number_of(std::size_t row_in_memory) const {
    return static_cast<RowNumber>(2 * group_rows_ + row_in_memory);
  }

  void begin_epoch(std::uint32_t epoch);
  /// The rows at places [begin, end) of the epoch's order; valid until the next call. Batches come in order,
  /// from any place on.
  std::span<const RowNumber> batch(std::size_t begin, std::size_t end);

  std::size_t size() const override { return 2 * group_rows_ + more_.size(); }
  void gather(std::span<const RowNumber> which, const RowBlock& to) const override;

 private:
  std::size_t group_of(std::size_t place) const;
  char* half(std::size_t group) { return rows_.data() + group % 2 * group_rows_ * row_bytes_; }
  void load(std::size_t group);
  void begin_loading(std::size_t group);
  void finish_loading();

  static constexpr std::size_t kNone = ~std::size_t{0};

  const RowCache& cache_;
  const MemoryRows& more_;
  std::size_t group_rows_, row_bytes_;
  std::uint64_t seed_;
  std::uint32_t network_, epoch_ = 0;
  std::vector<std::uint32_t> blocks_;      ///< in the order of the epoch
  std::vector<std::size_t> group_begins_;  ///< places; the last one is the end
  Buffer<char> rows_;                      ///< of two groups, packed, in the order of the epoch
  std::vector<RowNumber> batch_;
  std::size_t loaded_ = kNone;  ///< the last group that is there
  std::size_t loading_group_ = kNone;
  std::future<void> loading_;  ///< ends before what it writes to
};

}  // namespace mirrorball::rows
