#include "table/piece_parser.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "table/eight_bytes.h"

namespace mirrorball::table {
namespace {

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = std::numeric_limits<float>::max();
constexpr std::size_t kFirstRows = 8;  // few, for a file may have 100,000 columns

class PieceParser {
 public:
  PieceParser(std::string_view text, const Dialect& dialect, std::span<const ColumnPlan> plans,
              ParsedPiece& out)
      : at_(text.data()), end_(text.data() + text.size()), dialect_(dialect), plans_(plans), out_(out) {
    out_.columns.resize(plans.size());
    for (ParsedColumn& column : out_.columns) {
      column.texts.clear();
      column.kept.clear();
      column.dates = 0;
      column.text.reset();
      column.infinite.reset();
      capacity_ = std::max({capacity_, column.numbers.size(), column.codes.size()});
    }
    out_.rows = out_.blank_lines = 0;
    out_.broken.reset();
    make_room(std::max(capacity_, kFirstRows));
    skipped_.resize(plans.size() + 1);
    for (std::size_t c = plans.size(); c-- > 0;)
      skipped_[c] = plans[c].use == CellUse::kSkip && !plans[c].keep ? skipped_[c + 1] + 1 : 0;
  }

  void parse() {
    while (at_ < end_ && !out_.broken) {
      if (skip_line()) continue;
      if (out_.blank_lines > 0) take_blank_lines();
      row_start_ = at_;
      row_line_ = line_;
      if (parse_row()) ++out_.rows;
    }
    out_.lines = line_;
  }

 private:
  /// Passes a blank line, or in ARFF a comment.
  bool skip_line() {
    const char* first = skip_spaces(at_, dialect_.separator);
    if (dialect_.arff && *first == '%') {
      first = find_byte(first, end_, '\n');
    } else if (*first == '\n') {
      if (!dialect_.arff) ++out_.blank_lines;
    } else {
      if (dialect_.arff && *first == '{')
        broken(line_, "a sparse row; only dense ARFF rows are read, so write every value out");
      return out_.broken.has_value();
    }
    at_ = first + 1;
    ++line_;
    return true;
  }

  /// Blank lines before another row: missing values when there is one column, else rows with too few cells.
  void take_blank_lines() {
    if (plans_.size() > 1) {
      broken(line_ - out_.blank_lines,
             fmt::format("a blank line, but the header has {} columns", plans_.size()));
      return;
    }
    for (; out_.blank_lines > 0; --out_.blank_lines, ++out_.rows) {
      if (out_.rows == capacity_) make_room(2 * capacity_);
      if (plans_[0].use == CellUse::kNumber) out_.columns[0].numbers[out_.rows] = kMissingNumber;
      if (plans_[0].use == CellUse::kCategory) out_.columns[0].codes[out_.rows] = -1;
      if (plans_[0].keep) out_.columns[0].kept.append("");
    }
  }

  bool parse_row() {
    if (out_.broken) return false;
    if (out_.rows == capacity_) make_room(2 * capacity_);
    const std::size_t last = plans_.size() - 1;
    for (std::size_t c = 0; c <= last; ++c) {
      if (skipped_[c] > 0) c += pass_cells(std::min(skipped_[c], last - c));
      ParsedColumn& column = out_.columns[c];
      const bool read = plans_[c].keep                        ? kept_cell(column, plans_[c].use)
                        : plans_[c].use == CellUse::kNumber   ? number_cell(column)
                        : plans_[c].use == CellUse::kCategory ? category_cell(column)
                                                              : next_cell();
      if (!read) return false;
      if (*at_ != (c < last ? dialect_.separator : '\n')) return ragged_row();
      ++at_;
    }
    ++line_;
    return true;
  }

  /// Moves over up to `most` cells, eight bytes at a time, and says how many. Stops before a cell with a
  /// quote in it or one that ends the line.
  std::size_t pass_cells(std::size_t most) {
    std::size_t passed = 0;
    for (const char* from = at_; end_ - from >= 8 && passed < most; from += 8) {
      const EightBytes bytes(from);
      const std::uint64_t stops =
          bytes.equal('\n') | bytes.equal('"') | (dialect_.arff ? bytes.equal('\'') : 0);
      std::uint64_t separators = bytes.equal(dialect_.separator);
      if (stops != 0) separators &= (stops & -stops) - 1;
      for (; separators != 0 && passed < most; separators &= separators - 1, ++passed)
        at_ = from + EightBytes::first(separators) + 1;
      if (stops != 0) break;
    }
    return passed;
  }

  /// Most numbers are plain: they are parsed where they stand, without looking for the end of the cell first.
  bool number_cell(ParsedColumn& column) {
    const char* first = at_;
    while (*first == ' ') ++first;
    double number;
    const auto [last, fault] = fast_float::from_chars(first, end_, number);
    const char* after = last;
    while (*after == ' ' || *after == '\r') ++after;
    const bool ends = *after == dialect_.separator || *after == '\n';
    if (fault != std::errc() || !ends || !(std::abs(number) <= kLargest)) return odd_number_cell(column);
    column.numbers[out_.rows] = number;
    at_ = after;
    return true;
  }

  /// A missing value, a number in quotes or with a plus, or what is none.
  bool odd_number_cell(ParsedColumn& column) {
    const std::size_t line = line_;
    if (!next_cell()) return false;
    take_number(column, line);
    return true;
  }

  /// `line` is that on which the cell begins.
  void take_number(ParsedColumn& column, std::size_t line) {
    double& number = column.numbers[out_.rows];
    const CellKind kind = classify(cell_.text, number);
    if (kind == CellKind::kDate) ++column.dates;
    if (kind == CellKind::kNumber || kind == CellKind::kDate) return;
    number = kMissingNumber;
    if (kind == CellKind::kText && !column.text) column.text = {line, shown(cell_.text)};
    if (kind == CellKind::kInfinite && !column.infinite) column.infinite = {line, shown(cell_.text)};
  }

  bool category_cell(ParsedColumn& column) {
    if (!next_cell()) return false;
    take_category(column);
    return true;
  }

  void take_category(ParsedColumn& column) {
    const bool missing = is_missing(cell_.quoted ? trimmed(cell_.text) : cell_.text);
    column.codes[out_.rows] = missing ? -1 : column.texts.code(cell_.text);
  }

  bool kept_cell(ParsedColumn& column, CellUse use) {
    const std::size_t line = line_;
    if (!next_cell()) return false;
    column.kept.append(cell_.text);
    if (use == CellUse::kNumber) take_number(column, line);
    if (use == CellUse::kCategory) take_category(column);
    return true;
  }

  bool next_cell() {
    read_cell(at_, end_, dialect_, cell_);
    if (cell_.fault != CellFault::kNone) return bad_quote();
    if (cell_.quoted) count_lines(cell_.after);
    at_ = cell_.after;
    return true;
  }

  void count_lines(const char* to) {
    for (const char* from = at_; (from = find_byte(from, to, '\n')) != to; ++from) ++line_;
  }

  bool bad_quote() {
    const char* way_out = dialect_.arff ? "needs a backslash" : "must be doubled";
    const char* fault = cell_.fault == CellFault::kOpenQuote ? "a quote opens here and is never closed"
                                                             : "text follows the closing quote of a cell";
    broken(line_, fmt::format("{}; a quote inside a quoted cell {}", fault, way_out));
    return false;
  }

  bool ragged_row() {
    std::size_t cells = 1;
    line_ = row_line_;
    for (at_ = row_start_;; ++at_, ++cells) {
      if (!next_cell()) return false;
      if (*at_ == '\n') break;
    }
    broken(row_line_, fmt::format("{} cell{}, but the header has {} column{}", cells, cells == 1 ? "" : "s",
                                  plans_.size(), plans_.size() == 1 ? "" : "s"));
    return false;
  }

  void broken(std::size_t line, std::string text) { out_.broken = {line, std::move(text)}; }

  void make_room(std::size_t rows) {
    capacity_ = rows;
    for (std::size_t c = 0; c < plans_.size(); ++c) {
      if (plans_[c].use == CellUse::kNumber) out_.columns[c].numbers.resize(rows);
      if (plans_[c].use == CellUse::kCategory) out_.columns[c].codes.resize(rows);
    }
  }

  const char* at_;
  const char* end_;
  const Dialect dialect_;
  std::span<const ColumnPlan> plans_;
  ParsedPiece& out_;
  std::vector<std::size_t> skipped_;  // how many columns from each on are skipped
  std::size_t capacity_ = 0;
  std::size_t line_ = 0;
  const char* row_start_ = nullptr;
  std::size_t row_line_ = 0;
  Cell cell_;
};

}  // namespace

void parse_piece(std::string_view text, const Dialect& dialect, std::span<const ColumnPlan> plans,
                 ParsedPiece& out) {
  PieceParser(text, dialect, plans, out).parse();
}

}  // namespace mirrorball::table
