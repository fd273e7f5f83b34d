#include "table/text_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "table/text_source.h"

namespace mirrorball::table {
namespace {

/// No honest record is longer than this many pieces (256 MB by default); an unclosed quote would otherwise
/// take the whole file into memory.
constexpr std::size_t kMostPiecesARecord = 256;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

void Piece::make_room(std::size_t capacity) {
  if (capacity <= bytes_.size()) return;
  Buffer<char> larger(capacity);
  std::copy_n(bytes_.data(), size_, larger.data());
  bytes_ = std::move(larger);
}

TextReader::TextReader(TextSource& source, std::size_t piece_bytes)
    : source_(source), piece_bytes_(piece_bytes), longest_record_(kMostPiecesARecord * piece_bytes) {
  while (!ended_ && ahead_.size() < kByteOrderMark.size()) read_ahead();
  if (ahead_.starts_with(kByteOrderMark)) taken_ = start_ = kByteOrderMark.size();
}

std::optional<std::string_view> TextReader::line() {
  std::size_t end = ahead_.find('\n', taken_);
  while (end == ahead_.npos && !ended_) {
    const std::size_t searched = ahead_.size();
    if (searched - taken_ > longest_record_)
      bad_input("{}:{}: a line of more than {} bytes: this does not look like a table", source_.name(),
                lines_taken_ + 1, longest_record_);
    read_ahead();
    end = ahead_.find('\n', searched);
  }
  if (taken_ == ahead_.size()) return std::nullopt;
  std::string_view line = std::string_view(ahead_).substr(taken_, std::min(end, ahead_.size()) - taken_);
  taken_ = std::min(end, ahead_.size() - 1) + 1;
  ++lines_taken_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void TextReader::first_line_again() {
  taken_ = start_;
  lines_taken_ = 0;
}

bool TextReader::next(Piece& piece, const Dialect& dialect) {
  std::size_t size = ahead_.size() - taken_;
  piece.size_ = 0;
  piece.make_room(std::max(piece_bytes_, size) + 1);  // one more for a line end that the file lacks
  std::copy_n(ahead_.data() + taken_, size, piece.bytes_.data());
  ahead_.clear();
  taken_ = 0;
  for (;;) {
    char* text = piece.bytes_.data();
    if (!ended_) size += read(text + size, piece.bytes_.size() - 1 - size);
    if (ended_ && size > 0 && text[size - 1] != '\n') text[size++] = '\n';
    const std::size_t whole = ended_ ? size : whole_records({text, size}, dialect);
    piece.size_ = whole > 0 ? whole : size;
    if (whole > 0 || ended_) {
      ahead_.assign(text + whole, size - whole);
      return whole > 0;
    }
    if (size > longest_record_) {
      text[size++] = '\n';
      end_inside_quote({text, size}, dialect);
    } else {
      piece.make_room(2 * piece.bytes_.size());
    }
  }
}

void TextReader::end_inside_quote(std::string_view text, const Dialect& dialect) {
  if (whole_records(text, dialect) == text.size())
    bad_input("{}: a line of more than {} bytes: this does not look like a table", source_.name(),
              longest_record_);
  ended_ = true;
}

std::size_t TextReader::read(char* out, std::size_t size) {
  const std::size_t count = source_.read(out, size);
  ended_ = count < size;
  if (const char* nul = static_cast<const char*>(std::memchr(out, 0, count)))
    bad_input(
        "{}: binary data (a NUL byte at offset {}); expected CSV or ARFF in UTF-8, plain or compressed with "
        "gzip or zstd",
        source_.name(), bytes_read_ + static_cast<std::size_t>(nul - out));
  bytes_read_ += count;
  return count;
}

void TextReader::read_ahead() {
  const std::size_t had = ahead_.size();
  ahead_.resize(had + piece_bytes_);
  ahead_.resize(had + read(ahead_.data() + had, piece_bytes_));
}

}  // namespace mirrorball::table
