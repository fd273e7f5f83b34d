#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mirrorball/table.h"
#include "mirrorball/table_source.h"

namespace mirrorball {

/// Opens a table at its beginning. Every call must give the same rows.
using OpenTable = std::function<std::unique_ptr<TableSource>()>;

/// Whether a fit of so many rows and columns in memory would take more than so many bytes.
bool is_larger_than(std::uint64_t memory, std::size_t rows, std::size_t columns);

/// The same of a table that was not read yet, told from its first block and the share of the file that this
/// is. False where the share is not known.
bool is_larger_than(std::uint64_t memory, const OpenTable& open);

struct LargeTableOptions {
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes of the fit: the sample takes a quarter at most
  std::uint64_t seed = 0;                         ///< of the sample
  unsigned threads = 0;                           ///< 0: all cores
  /// Called after every block with the rows so far and the share of the source.
  std::function<void(std::size_t rows, std::optional<double> share)> progress = {};
};

/// A table that a fit reads in blocks because it does not fit into memory: the first reading counts its rows
/// and keeps a sample of them, and the fit reads it once more.
///
/// The sample is all rows up to its limit of kMostSampleRows, or fewer where memory is small. Beyond, a row
/// is kept where a random key, which depends on the seed and its number alone, lies below a bound that is
/// halved whenever the sample grows over the limit: a fair sample of between half the limit and the limit.
class LargeTable {
 public:
  static constexpr std::size_t kMostSampleRows = 1000000, kFewestSampleRows = 10000;

  /// Reads the table once.
  explicit LargeTable(OpenTable open, const LargeTableOptions& options = {});
  ~LargeTable();
  LargeTable(LargeTable&&) noexcept;
  LargeTable& operator=(LargeTable&&) noexcept;

  std::size_t rows() const;  ///< of the whole table
  const Table& sample() const;

  /// What was seen of a column in all rows.
  struct ColumnFacts {
    std::size_t missing = 0, first_missing = 0;  ///< how many values, and the row of the first
    std::uint64_t print = 0;                     ///< a fingerprint of the values
  };

  Table take_sample();  ///< internal: leaves none behind
  /// The numbers of the sample's rows in the whole table, ascending.
  const std::vector<std::uint64_t>& sample_rows() const;
  /// Facts about the columns, by their places.
  const std::vector<ColumnFacts>& columns() const;
  std::unique_ptr<TableSource> open() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace mirrorball
