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

/// How to read a table file. The default reads every column and detects its type.
struct ReadOptions {
  std::vector<std::string> categories;  ///< read these as text, whatever they look like
  std::vector<std::string> numbers;  ///< these must be numbers: text in them is an error that names the line
  std::vector<std::string> skip;     ///< leave these out, unread, unless they are named above
  bool only_named = false;           ///< skip every column that is in neither list (fast)
  unsigned threads = 0;              ///< 0: all cores
  /// Called now and then while a whole file is read, with the rows so far and the share of the file; there is
  /// no share where its end is not known. A file that has to be read again begins anew.
  std::function<void(std::size_t rows, std::optional<double> share)> progress = {};
  /// Between the cells of CSV, as ','. 0 finds it out: a tab in a file named .tsv or .tab and | in one named
  /// .psv, if the header has it; otherwise the most frequent of , ; and tab in the header, or | where it has
  /// none of them.
  char separator = 0;
  std::vector<std::string> keep = {};  ///< keep the text of these columns too, whatever they are read as
  std::vector<std::string> dates =
      {};                    ///< numbers that are dates: what is said of text in them is about dates
  bool allow_empty = false;  ///< a header without rows is a table without rows, not an error
};

/// Values at equal steps in memory, such as a column of a matrix.
template <class T>
struct Strided {
  const T* first = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t step = 1;  ///< from one value to the next, in values
};

/// Typed columns of equal length. A number is kept as the double it was given as; NaN is a missing value. A
/// category is a code into the column's categories, in order of first appearance; kMissing is a missing
/// value. The same values give the same table, to the bit, however they come, and a row means the same
/// whatever rows are around it.
class Table {
 public:
  static constexpr std::int32_t kMissing = -1;

  Table();
  ~Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// Reads CSV or ARFF, plain or compressed with gzip or zstd, which the bytes show; "-" is standard input.
  /// A path with *, ? or [ that no file has is a pattern: the files that match it are one table, in the order
  /// of their names. Throws std::invalid_argument with "FILE:LINE: …" for anything malformed.
  static Table read(const std::string& path, const ReadOptions& options = {});
  /// Reads several files as one table, in the order given; patterns may stand among them. All must have the
  /// same columns in the same order. The first decides the types, but text in any of them makes a column
  /// that was not declared text in all.
  static Table read_files(std::span<const std::string> paths, const ReadOptions& options = {});
  /// The same from bytes in memory; `name` stands for the file in errors. See table_source.h for tables that
  /// are read block by block.
  static Table read_bytes(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

  /// Takes over a table that comes by the Arrow C data interface: numbers, booleans (0 and 1), times (seconds
  /// since 1970, or since midnight), texts (ISO dates, else categories), and dictionaries as categories.
  /// Nulls are missing values. Columns named in `categories` become categories. What is handed in is
  /// released, also on errors. A single array that is no table becomes one column.
  static Table from_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories = {});
  static Table from_arrow(ArrowSchema& schema, ArrowArray& array,
                          const std::vector<std::string>& categories = {});

  /// Adds a column; its length must be that of the columns already there. NaN and "" are missing values.
  void add_numbers(const std::string& name, std::span<const double> values);
  void add_numbers(const std::string& name, Strided<double> values);
  void add_numbers(const std::string& name, Strided<float> values);
  void add_categories(const std::string& name, std::span<const std::string> values);
  /// Texts that nobody declared: dates where all are ISO dates, as in a file, else categories.
  void add_texts(const std::string& name, std::span<const std::string> values);
  /// Codes into `categories`; a negative code is a missing value.
  void add_categories(const std::string& name, std::span<const std::int32_t> codes,
                      const std::vector<std::string>& categories);
  /// Numbers as categories: the category of 1.0 is "1".
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

  /// The cell of a column that ReadOptions::keep names, by its place there: the text in the file as UTF-8,
  /// without the quotes around it.
  std::string_view kept(std::size_t row, std::size_t place) const;

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
