#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/buffer.h"
#include "table/cells.h"

namespace mirrorball::table {

class TextSource;

/// A stretch of text that ends with a record, and so in '\n'.
class Piece {
 public:
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  friend class TextReader;
  void make_room(std::size_t capacity);

  Buffer<char> bytes_;
  std::size_t size_ = 0;
};

/// Divides a source into header lines and then into pieces of about `piece_bytes` that can be parsed apart.
class TextReader {
 public:
  TextReader(TextSource& source, std::size_t piece_bytes);

  /// The next line without its end; none after the last. Valid until the next call.
  std::optional<std::string_view> line();
  std::size_t lines_taken() const { return lines_taken_; }
  void first_line_again();  ///< not after the first piece

  /// False when nothing is left. The end of the file ends a record even when a quote is open.
  bool next(Piece& piece, const Dialect& dialect);
  bool at_end() const { return ended_ && taken_ == ahead_.size(); }

 private:
  std::size_t read(char* out, std::size_t size);
  void read_ahead();
  void end_inside_quote(std::string_view text, const Dialect& dialect);

  TextSource& source_;
  std::size_t piece_bytes_;
  std::size_t longest_record_;
  std::string ahead_;  // what was read; given out up to taken_
  std::size_t taken_ = 0;
  std::size_t start_ = 0;  // behind a byte order mark
  std::size_t lines_taken_ = 0;
  std::size_t bytes_read_ = 0;
  bool ended_ = false;
};

}  // namespace mirrorball::table
