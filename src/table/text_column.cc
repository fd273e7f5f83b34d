#include "table/text_column.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "mirrorball/table.h"
#include "table/cells.h"

namespace mirrorball::table {
namespace {

constexpr double kMissingTime = std::numeric_limits<double>::quiet_NaN();

/// Seconds since 1970 of every category, NaN for words of missing values; none where another text is there.
std::optional<std::vector<double>> seconds_of(const std::vector<std::string>& categories) {
  std::vector<double> seconds(categories.size(), kMissingTime);
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const CellKind kind = classify(categories[i], seconds[i]);
    if (kind == CellKind::kMissing) seconds[i] = kMissingTime;
    if (kind != CellKind::kMissing && kind != CellKind::kDate) return std::nullopt;
  }
  return seconds;
}

NumberColumn numbers_of(const CategoryColumn& texts, const std::vector<double>& values) {
  std::array<std::int32_t, 512> codes;
  std::array<double, 512> chunk;
  NumberColumn numbers;
  for (std::size_t begin = 0, n; begin < texts.size(); begin += n) {
    n = std::min(chunk.size(), texts.size() - begin);
    texts.copy(begin, begin + n, codes.data());
    for (std::size_t i = 0; i < n; ++i)
      chunk[i] = codes[i] == Table::kMissing ? kMissingTime : values[static_cast<std::size_t>(codes[i])];
    numbers.append({chunk.data(), n});
  }
  return numbers;
}

}  // namespace

Column text_column(std::string name, CategoryColumn texts) {
  const std::optional<std::vector<double>> seconds = seconds_of(texts.categories());
  if (!seconds) return {std::move(name), std::move(texts)};
  const bool dates =
      std::any_of(seconds->begin(), seconds->end(), [](double value) { return value == value; });
  return {std::move(name), numbers_of(texts, *seconds), dates};
}

}  // namespace mirrorball::table
