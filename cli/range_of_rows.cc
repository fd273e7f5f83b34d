#include "range_of_rows.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/grouped.h"

namespace mirrorball::cli {

RowSpan row_span(const std::string& flag, const std::string& text) {
  const auto number = [&](std::string_view part) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
      bad_input("{} {}: '{}' is not a row number; rows are numbered from 0, for example 1000:2000", flag,
                text, part);
    return value;
  };
  const std::size_t colon = text.find(':');
  if (colon == text.npos || text.size() == 1)
    bad_input("{} {}: give a range of rows as FROM:TO, for example 1000:2000", flag, text);
  const std::string_view from = std::string_view(text).substr(0, colon),
                         to = std::string_view(text).substr(colon + 1);
  RowSpan range;
  if (!from.empty()) range.begin = number(from);
  if (!to.empty()) range.end = number(to);
  if (range.begin >= range.end)
    bad_input("{} {} selects no rows; {}:{} would select one", flag, text, range.begin, range.begin + 1);
  return range;
}

std::optional<Table> RangeOfRows::next() {
  while (seen_ < range_.end) {
    std::optional<Table> block = source_->next();
    if (!block) {
      if (seen_ <= range_.begin)
        bad_input("--rows {}: {} has {} rows, numbered from 0", range_.begin, name(), grouped(seen_));
      return std::nullopt;
    }
    const std::size_t first = std::exchange(seen_, seen_ + block->rows());
    if (seen_ <= range_.begin) continue;
    const std::size_t begin = std::max(first, range_.begin) - first,
                      end = std::min(seen_, range_.end) - first;
    if (begin == 0 && end == block->rows()) return block;
    return block->slice(begin, end);
  }
  return std::nullopt;
}

std::optional<std::size_t> RangeOfRows::rows() const {
  const std::optional<std::size_t> all = source_->rows();
  if (!all) return std::nullopt;
  return std::min(*all, range_.end) - std::min(*all, range_.begin);
}

/// By rows where the end of the range is known; what is skipped is read in no time.
std::optional<double> RangeOfRows::share() const {
  if (range_.end == RowSpan::kToTheEnd) return source_->share();
  const std::size_t done = std::min(seen_, range_.end) - std::min(seen_, range_.begin);
  return static_cast<double>(done) / static_cast<double>(range_.end - range_.begin);
}

}  // namespace mirrorball::cli
