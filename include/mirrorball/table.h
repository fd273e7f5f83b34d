#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct ArrowSchema;  // of the Arrow C data interface
struct ArrowArray;
struct ArrowArrayStream;

namespace mirrorball {

namespace table {
struct Content;  // internal
}

enum class ColumnType { kNumber, kCategory };

/// How a file becomes a table. The default reads every column and finds out its type.
struct ReadOptions {
  std::vector<std::string> categories;  ///< read these as text, whatever they look like
  std::vector<std::string> numbers;  ///< these must be numbers: text in them is an error that names the line
  std::vector<std::string> skip;     ///< leave these out, unread, unless they are named above
  bool only_named = false;           ///< skip every column that is in neither list (fast)
  unsigned threads = 0;              ///< 0: all cores
};

/// Values at equal steps in memory, such as a column of a matrix.
template <class T>
struct Strided {
  const T* first = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t step = 1;  ///< from one value to the next, in values
};

/// Typed columns of equal length. A number is kept to 24 bits of the column's spread; NaN is a gap. A
/// category is a code into the column's categories, in order of first appearance; kMissing is a gap. The same
/// values give the same table, to the bit, however they come.
class Table {
 public:
  static constexpr std::int32_t kMissing = -1;

  Table();
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// Reads CSV (separated by , ; or tab, found from the header), CSV.gz or ARFF. "-" is standard input.
  /// Throws std::invalid_argument with "FILE:LINE: …" for anything malformed.
  static Table read(const std::string& path, const ReadOptions& options = {});
  /// The same from bytes in memory; `name` stands for the file in errors. See table_source.h for tables that
  /// are read block by block.
  static Table read_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

  /// Takes over a table that comes by the Arrow C data interface: numbers, booleans (0 and 1), times (seconds
  /// since 1970, or since midnight), texts, and dictionaries as categories. Missing values are gaps. Numbers
  /// in the columns named in `categories` become categories. What is handed in is released, also on errors. A
  /// single array that is no table becomes one column.
  static Table from_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories = {});
  static Table from_arrow(ArrowSchema& schema, ArrowArray& array,
                          const std::vector<std::string>& categories = {});

  /// Adds a column; its length must be that of the columns already there. NaN and "" are gaps.
  void add_numbers(const std::string& name, std::span<const double> values);
  void add_numbers(const std::string& name, Strided<double> values);
  void add_numbers(const std::string& name, Strided<float> values);
  void add_categories(const std::string& name, std::span<const std::string> values);
  /// Codes into `levels`; a negative code is a gap.
  void add_categories(const std::string& name, std::span<const std::int32_t> codes,
                      const std::vector<std::string>& levels);
  /// Numbers taken as categories: the level of 1.0 is "1".
  void add_categories(const std::string& name, Strided<double> values);

  std::size_t rows() const;
  std::size_t columns() const;
  const std::string& name(std::size_t column) const;
  /// False where `name` stands in for none: the first column of a CSV file whose header has no name for it,
  /// or pandas' "Unnamed: 0", most likely row numbers. `fit` leaves it out. Naming it in ReadOptions (it is
  /// called "column1") or `set_names` makes it a column like others.
  bool has_name(std::size_t column) const;
  ColumnType type(std::size_t column) const;
  /// Whether a number column holds dates, as seconds since 1970: most cells of the file were dates, or
  /// `set_dates` said so. Models remember it and show them as dates.
  bool holds_dates(std::size_t column) const;
  void set_dates(std::size_t column);  ///< throws for categories
  std::vector<std::string> names() const;
  /// Gives the columns other names, in their order.
  void set_names(std::span<const std::string> names);
  /// All names in the file it was read from, also those of columns that were skipped; else `names`.
  std::vector<std::string> header() const;

  /// The column of that name, if there is one; `column` throws instead and suggests a near name.
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t column(std::string_view name) const;

  double number(std::size_t row, std::size_t column) const;      ///< of a number column
  std::int32_t code(std::size_t row, std::size_t column) const;  ///< of a category column
  const std::vector<std::string>& categories(std::size_t column) const;

  /// Where the table came from: the path given to `read`, "<stdin>", or empty.
  const std::string& source() const;
  /// How many rows come before this table's first in the table it is a block or slice of.
  std::size_t first_row() const;

  /// Copies rows [begin, end) of a number or category column. Faster than one by one.
  void copy_numbers(std::size_t column, std::size_t begin, std::size_t end, double* out) const;
  void copy_codes(std::size_t column, std::size_t begin, std::size_t end, std::int32_t* out) const;

  /// A copy of rows [begin, end), to the bit.
  Table slice(std::size_t begin, std::size_t end) const;

  /// One row again and again, in which a column of numbers takes one of `values` after the other.
  Table vary(std::size_t row, std::size_t column, std::span<const double> values) const;

  /// Gives the memory of rows [0, row) back, in whole blocks; they must not be read again. For consumers that
  /// turn a large table into something else piece by piece.
  void discard_before(std::size_t row);

  void write_csv(std::ostream& out) const;

  explicit Table(table::Content content);  ///< internal

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace mirrorball
