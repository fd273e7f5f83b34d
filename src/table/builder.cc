#include "table/builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Rows of a number column that are not missing.
std::size_t known(const NumberColumn& numbers) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row) count += !std::isnan(numbers[row]);
  return count;
}

}  // namespace

Builder::Builder(const std::vector<std::string>& names, std::span<const ColumnPlan> plans,
                 std::vector<std::size_t> kept, std::string file, std::size_t first_line, bool can_restart)
    : names_(names),
      plans_(plans),
      file_(std::move(file)),
      line_(first_line),
      can_restart_(can_restart),
      kept_(std::move(kept)),
      infinite_(names.size()),
      late_text_(names.size()) {
  content_.source = file_;
  content_.header = names;
  content_.kept.resize(kept_.size());
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (plans[place].use == CellUse::kSkip) continue;
    places_.push_back(place);
    content_.columns.push_back(empty_column(names[place], plans[place]));
  }
  dates_.resize(places_.size());
}

void Builder::begin_file(std::string file, std::size_t first_line) {
  file_ = std::move(file);
  lines_before_ += line_;
  line_ = first_line;
  blank_lines_ = 0;  // at the end of a file they are nothing
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
  for (std::size_t i = 0; i < kept_.size(); ++i) content_.kept[i].append(piece.columns[kept_[i]].kept);
  content_.rows += piece.rows;
}

/// Rows follow after blank lines at the end of earlier pieces: see PieceParser.
void Builder::take_blank_lines() {
  const std::size_t count = std::exchange(blank_lines_, 0);
  if (count == 0) return;
  if (names_.size() > 1)
    bad_input("{}:{}: a blank line, but the header has {} columns", file_, line_ - count, names_.size());
  for (Column& column : content_.columns)
    std::visit([&](auto& values) { values.append_missing(count); }, column.values);
  for (KeptTexts& texts : content_.kept)
    for (std::size_t i = 0; i < count; ++i) texts.append("");
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
    } else if (plans_[place].dates) {
      consider(first, parsed.text, name,
               "is not a date as ISO 8601 writes it; write for example 2024-02-29 or 2024-02-29T13:30, or "
               "leave the cell empty");
    } else {
      consider(first, parsed.text, name, "is not a number; replace it, or leave the cell of a feature empty");
    }
    std::optional<Problem> infinite;
    consider(infinite, parsed.infinite, name,
             "is infinite or beyond 3.4e38; replace it, or leave the cell of a feature empty");
    if (infinite && guessed && can_restart_) {
      if (!infinite_[place])
        infinite_[place] = {lines_before_ + line_ + infinite->line,
                            fmt::format("{}:{}: {}", file_, line_ + infinite->line, infinite->text)};
    } else if (infinite && (!first || infinite->line < first->line)) {
      first = infinite;
    }
  }
  if (!first) return;
  check_infinite(lines_before_ + line_ + first->line);
  bad_input("{}:{}: {}", file_, line_ + first->line, first->text);
}

/// Text may still come and make a word of it; when none has, it is an error.
void Builder::check_infinite(std::size_t before_line) const {
  const Problem* first = nullptr;
  for (std::size_t place = 0; place < infinite_.size(); ++place)
    if (infinite_[place] && !late_text_[place] && (!first || infinite_[place]->line < first->line))
      first = &*infinite_[place];
  if (first && first->line < before_line) bad_input("{}", first->text);
}

void Builder::check_rows() const {
  if (content_.first_row + content_.rows == 0)
    bad_input("{}: the file has a header but no rows", content_.source);
}

Content Builder::take() {
  check_infinite(std::numeric_limits<std::size_t>::max());
  Content next;
  next.first_row = content_.first_row + content_.rows;
  next.source = content_.source;
  next.header = content_.header;
  next.kept.resize(kept_.size());
  for (std::size_t i = 0; i < content_.columns.size(); ++i) {
    Column& column = content_.columns[i];
    std::visit([](auto& values) { values.trim(); }, column.values);
    next.columns.push_back(empty_column(column.name, plans_[places_[i]]));
    const std::size_t dates = std::exchange(dates_[i], 0);
    column.dates = dates > 0 && 2 * dates > known(std::get<NumberColumn>(column.values));
  }
  return std::exchange(content_, std::move(next));
}

}  // namespace mirrorball::table
