#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "encode/date_cycles.h"
#include "encode/plain_number.h"
#include "encode/transform.h"
#include "mirrorball/table.h"
#include "rows/encoded_rows.h"

namespace mirrorball::encode {

/// The columns of an encoded row that a feature has; -1: none.
struct EncodedPlace {
  std::ptrdiff_t number = -1, plain = -1, code = -1;
  std::ptrdiff_t cycles = -1;     ///< the first
  std::size_t cycle_columns = 0;  ///< so many, one after the other
};

/// One feature, as fitted on the training rows.
struct Feature {
  std::string name;
  ColumnType type = ColumnType::kNumber;
  NumberTransform transform;            ///< of a number
  bool dates = false;                   ///< the numbers are seconds since 1970
  std::optional<PlainNumber> plain;     ///< of a number that enters by its value too
  DateCycles cycles;                    ///< of a date that enters by its place in the calendar too
  std::vector<std::string> categories;  ///< of a category: those kept, most frequent first
  bool missing = false;                 ///< the training rows had missing values here
  double typical = 0;                   ///< median of a number; a category's typical one is categories[0]
  std::int32_t first_row = 0;  ///< learned row of categories[0]; the row for a missing value comes after them
  EncodedPlace place;

  std::int32_t learned_rows() const {
    return static_cast<std::int32_t>(categories.size()) + (missing ? 1 : 0);
  }
  std::int32_t missing_row() const {
    return missing ? first_row + static_cast<std::int32_t>(categories.size()) : rows::EncodedRows::kNothing;
  }
  /// Significant digits of a number that are worth telling; whole seconds of a date.
  int digits() const { return dates ? 11 : transform.digits(); }
  double span() const { return transform.training_quantile(1) - transform.training_quantile(0); }
  bool has_code() const { return learned_rows() > 0; }
  /// The numbers of an encoded row that a number has; NaN is a missing one.
  void write(double x, float* row) const;
};

/// Turns table rows into network inputs. Columns are found by name, in any order; extra ones are ignored.
class Encoder {
 public:
  Encoder() = default;
  explicit Encoder(std::vector<Feature> features);

  /// Fits one feature per named column on the given rows (in increasing order).
  static Encoder fit(const Table& table, std::span<const std::string> names,
                     std::span<const std::uint32_t> rows, const Options& options, ThreadPool& pool);

  const std::vector<Feature>& features() const { return features_; }
  std::size_t number_columns() const { return number_columns_; }
  std::size_t code_columns() const { return code_columns_; }
  std::size_t learned_rows() const { return learned_rows_; }

  /// The encoder bound to one table: its columns found, its categories translated. Missing or mistyped
  /// columns throw.
  class Bound {
   public:
    /// Encodes table rows [begin, end) into the rows of `out` from `at` on.
    void encode(std::size_t begin, std::size_t end, rows::EncodedRows& out, std::size_t at) const;
    /// The same on several threads.
    void encode(std::size_t begin, std::size_t end, rows::EncodedRows& out, std::size_t at,
                ThreadPool& pool) const;

   private:
    friend class Encoder;
    struct BoundColumn {
      std::size_t column;
      std::vector<std::int32_t> learned_row;  ///< of a category: by the table's code
    };
    const Encoder* encoder_ = nullptr;
    const Table* table_ = nullptr;
    std::vector<BoundColumn> columns_;
  };
  Bound bind(const Table& table) const;

 private:
  std::vector<Feature> features_;
  std::size_t number_columns_ = 0, code_columns_ = 0, learned_rows_ = 0;
};

/// The column as numbers, for the given rows; a category there is an error that names it.
std::vector<double> gather_numbers(const Table& table, std::size_t column,
                                   std::span<const std::uint32_t> rows);

}  // namespace mirrorball::encode
