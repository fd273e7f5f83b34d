#include "table/builder.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace mirrorball::table {
namespace {

/// Keeps the problem that comes first in the file.
void consider(std::optional<Problem>& first, const std::optional<Problem>& problem, const std::string& column,
              std::string_view fault) {
  if (!problem || (first && first->line <= problem->line)) return;
  first = {problem->line, fmt::format("column '{}': '{}' {}", column, problem->text, fault)};
}

Column empty_column(const std::string& name, const ColumnPlan& plan) {
  if (plan.use == CellUse::kNumber) return {name, NumberColumn(), false, plan.unnamed};
  return {name, CategoryColumn(), false, plan.unnamed};
}

void append_column(Column& column, const ParsedColumn& parsed, std::size_t rows) {
  if (auto* numbers = std::get_if<NumberColumn>(&column.values)) {
    numbers->append({parsed.numbers.data(), rows});
  } else {
    std::get<CategoryColumn>(column.values).append({parsed.codes.data(), rows}, parsed.texts.texts());
  }
}

Column continued(const Column& column) {
  if (const auto* numbers = std::get_if<NumberColumn>(&column.values))
    return {column.name, numbers->continued(), false, column.unnamed};
  return {column.name, CategoryColumn(), false, column.unnamed};
}

/// Rows of a number column that are not gaps.
std::size_t known(const NumberColumn& numbers) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) count += !std::isnan(numbers.offset(row));
  return count;
}

}  // namespace

Builder::Builder(const std::vector<std::string>& names, std::span<const ColumnPlan> plans, std::string file,
                 std::size_t first_line, bool can_restart)
    : names_(names), plans_(plans), line_(first_line), can_restart_(can_restart), late_text_(names.size()) {
  content_.source = std::move(file);
  content_.header = names;
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (plans[place].use == CellUse::kSkip) continue;
    places_.push_back(place);
    content_.columns.push_back(empty_column(names[place], plans[place]));
  }
  dates_.resize(places_.size());
}

void Builder::append(const ParsedPiece& piece) {
  if (piece.rows > 0 || piece.broken) take_blank_lines();
  check(piece);
  line_ += piece.lines;
  blank_lines_ += piece.blank_lines;
  if (has_late_text_) return;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ParsedColumn& parsed = piece.columns[places_[i]];
    append_column(content_.columns[i], parsed, piece.rows);
    dates_[i] += parsed.dates;
  }
  content_.rows += piece.rows;
}

/// Rows follow after blank lines at the end of earlier pieces: see PieceParser.
void Builder::take_blank_lines() {
  const std::size_t count = std::exchange(blank_lines_, 0);
  if (count == 0) return;
  if (names_.size() > 1)
    bad_input("{}:{}: a blank line, but the header has {} columns", content_.source, line_ - count,
              names_.size());
  for (Column& column : content_.columns)
    std::visit([&](auto& values) { values.append_gaps(count); }, column.values);
  content_.rows += count;
}

void Builder::check(const ParsedPiece& piece) {
  std::optional<Problem> first = piece.broken;
  for (const std::size_t place : places_) {
    const ParsedColumn& parsed = piece.columns[place];
    const bool guessed = plans_[place].guessed;
    if (parsed.text && guessed && can_restart_) late_text_[place] = has_late_text_ = true;
    if (late_text_[place]) continue;
    const std::string& name = names_[place];
    if (parsed.text && guessed) {
      consider(first, parsed.text, name,
               fmt::format(
                   "is text, but the column began with numbers, and rows of a pipe or a block cannot be read "
                   "twice; declare it with --category {}",
                   name));
    } else {
      consider(first, parsed.text, name, "is not a number; replace it, or leave the cell of a feature empty");
    }
    consider(first, parsed.infinite, name,
             "is infinite or beyond 3.4e38; replace it, or leave the cell of a feature empty");
  }
  if (first) bad_input("{}:{}: {}", content_.source, line_ + first->line, first->text);
}

void Builder::check_rows() const {
  if (content_.first_row + content_.rows == 0)
    bad_input("{}: there is a header but no rows", content_.source);
}

bool Builder::can_cut() const {
  const auto allows = [](const Column& column) {
    const auto* numbers = std::get_if<NumberColumn>(&column.values);
    return !numbers || numbers->can_cut();
  };
  return content_.rows > 0 && std::all_of(content_.columns.begin(), content_.columns.end(), allows);
}

Content Builder::take() {
  Content next;
  next.first_row = content_.first_row + content_.rows;
  next.source = content_.source;
  next.header = content_.header;
  for (std::size_t i = 0; i < content_.columns.size(); ++i) {
    Column& column = content_.columns[i];
    std::visit([](auto& values) { values.trim(); }, column.values);
    next.columns.push_back(continued(column));
    const std::size_t dates = std::exchange(dates_[i], 0);
    column.dates = dates > 0 && 2 * dates > known(std::get<NumberColumn>(column.values));
  }
  return std::exchange(content_, std::move(next));
}

}  // namespace mirrorball::table
