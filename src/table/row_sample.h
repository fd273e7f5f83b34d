#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/thread_pool.h"
#include "mirrorball/table.h"

namespace mirrorball::table {

/// A fair sample of rows that come in blocks, in their order: all of them up to `most`. Beyond, those whose
/// random key (`row_key`) is at most a bound that is halved whenever there are more than `most`. Which rows
/// are kept depends on the seed and their numbers alone, not on the blocks.
class RowSample {
 public:
  explicit RowSample(std::uint64_t seed) : seed_(seed) {}

  /// Blocks of one table, in order. With the first, `most` must have been set.
  void set_most(std::size_t most) { most_ = most; }
  void add(const Table& block, ThreadPool& pool);

  /// The numbers of the rows in the sample, ascending.
  const std::vector<std::uint64_t>& rows() const { return rows_; }

  /// The sample as a table. No row is left behind, but their numbers.
  Table take();

 private:
  struct SampledColumn {
    std::string name;
    ColumnType type = ColumnType::kNumber;
    bool unnamed = false;
    std::size_t date_rows = 0;  ///< of blocks that hold dates there
    std::vector<double> numbers;
    std::vector<std::int32_t> codes;
    std::vector<std::string> categories;
    std::unordered_map<std::string, std::int32_t> code_of;
  };

  bool takes(std::uint64_t row) const;
  void begin(const Table& block);
  void halve();
  static void forget_unused(SampledColumn& column);

  std::uint64_t seed_, bound_ = ~std::uint64_t{0};
  std::size_t most_ = 0, seen_ = 0;
  std::string source_;
  std::vector<std::string> header_;
  std::vector<SampledColumn> columns_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace mirrorball::table
