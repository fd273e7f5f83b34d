#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace mirrorball::table {

/// Writes rows of cells, separated by commas or another sign. What Table::read reads back is what was
/// written.
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out, char separator = ',');
  ~CsvWriter();  ///< as `finish`
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  void header(std::span<const std::string> names);
  /// Up to `digits` significant digits; NaN is an empty cell.
  void cell(double value, int digits = 7);
  void cell(std::string_view text);  ///< in quotes where needed
  void exact(double value);          ///< the fewest digits that read back as the same number; NaN as above
  void end_row();

  /// Hands everything to the stream, whose state tells whether it could take it.
  void finish();

 private:
  void begin_cell();
  void flush();

  std::ostream& out_;
  char separator_;
  std::string buffer_;
  std::size_t row_start_ = 0;  // in the buffer
  std::size_t cells_ = 0;      // in the row so far
};

}  // namespace mirrorball::table
