#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>

#include "base/suggest.h"
#include "model/parts.h"
#include "table/cells.h"

namespace mirrorball {
namespace {

constexpr std::size_t kNamed = 3;  ///< categories that a sentence names

/// The categories that occur in a column, in order of appearance; a table may list more.
std::vector<std::string> values_in(const Table& table, std::size_t column) {
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  const std::unordered_set<std::int32_t> held(codes.begin(), codes.end());
  std::vector<std::string> values;
  for (std::size_t code = 0; code < table.categories(column).size(); ++code)
    if (held.contains(static_cast<std::int32_t>(code))) values.push_back(table.categories(column)[code]);
  return values;
}

/// As they can be printed: without line breaks and other control characters.
std::vector<std::string> on_one_line(std::span<const std::string> names) {
  std::vector<std::string> texts;
  for (const std::string& name : names.first(std::min(names.size(), kNamed + 1)))
    texts.push_back(table::shown(name));
  texts.resize(names.size());  // the rest is only counted
  return texts;
}

}  // namespace

std::vector<ColumnWarning> Model::warnings(const Table& table) const {
  std::vector<ColumnWarning> found;
  for (const encode::Feature& feature : parts_->encoder.features()) {
    const std::optional<std::size_t> column = table.find(feature.name);
    if (feature.type != ColumnType::kCategory || feature.categories.empty() || !column ||
        table.type(*column) != ColumnType::kCategory)
      continue;
    const std::vector<std::string> held = values_in(table, *column);
    const std::unordered_set<std::string> known(feature.categories.begin(), feature.categories.end());
    const bool strange = std::none_of(held.begin(), held.end(),
                                      [&](const std::string& value) { return known.contains(value); });
    if (held.empty() || !strange) continue;
    found.push_back(
        {feature.name, fmt::format("none of the values of '{}' occurred in training, so the column "
                                   "is ignored (here: {}; training: {})",
                                   feature.name, listing(on_one_line(held), kNamed),
                                   listing(on_one_line(feature.categories), kNamed))});
  }
  return found;
}

}  // namespace mirrorball
