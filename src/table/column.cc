#include "table/column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/utf8.h"
#include "mirrorball/table.h"

namespace mirrorball::table {
void check_range(const std::string& column, std::size_t first_row, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i]) > std::numeric_limits<float>::max())
      bad_input(
          "column '{}', row {} (from 0): {} is infinite or beyond 3.4e38: replace it, or use NaN for a "
          "missing value",
          column, first_row + i, values[i]);
}

void CategoryColumn::append(std::span<const std::int32_t> codes, const std::vector<std::string>& categories) {
  // Categories are taken over when they first appear: their order then is that of the rows, from whatever
  // source.
  constexpr std::int32_t kNotSeen = -2;
  std::vector<std::int32_t> own(categories.size(), kNotSeen);
  const auto translate = [&](std::int32_t code) {
    if (code < 0) return Table::kMissing;
    const auto place = static_cast<std::size_t>(code);
    if (own[place] == kNotSeen)
      own[place] = categories[place].empty() ? Table::kMissing : dictionary_.code(as_utf8(categories[place]));
    return own[place];
  };
  const std::int32_t* next = codes.data();
  blocks_.append(codes.size(), [&](std::int32_t* out, std::size_t n) {
    std::transform(next, next + n, out, translate);
    next += n;
  });
}

void CategoryColumn::append(std::span<const std::string> texts) {
  const std::string* next = texts.data();
  blocks_.append(texts.size(), [&](std::int32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = next[i].empty() ? Table::kMissing : dictionary_.code(as_utf8(next[i]));
    next += n;
  });
}

void CategoryColumn::append(std::span<const double> numbers) {
  const double* next = numbers.data();
  blocks_.append(numbers.size(), [&](std::int32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = std::isnan(next[i]) ? Table::kMissing : dictionary_.code(fmt::format("{}", next[i]));
    next += n;
  });
}

void CategoryColumn::append_missing(std::size_t count) {
  blocks_.append(count, [](std::int32_t* out, std::size_t n) { std::fill_n(out, n, Table::kMissing); });
}

CategoryColumn CategoryColumn::slice(std::size_t begin, std::size_t end) const {
  CategoryColumn part;
  blocks_.visit(begin, end, [&](const std::int32_t* codes, std::size_t n) {
    part.append({codes, n}, categories());
  });
  part.trim();
  return part;
}

void CategoryColumn::copy(std::size_t begin, std::size_t end, std::int32_t* out) const {
  blocks_.visit(begin, end,
                [&](const std::int32_t* codes, std::size_t n) { out = std::copy_n(codes, n, out); });
}

}  // namespace mirrorball::table
