#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/suggest.h"
#include "model/parts.h"

namespace mirrorball {
namespace {

constexpr std::size_t kNamed = 3;  ///< levels that a sentence names

/// The levels that a column of categories holds, in order of appearance: a table may know more than occur.
std::vector<std::string> levels_held(const Table& table, std::size_t column) {
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  const std::unordered_set<std::int32_t> held(codes.begin(), codes.end());
  std::vector<std::string> levels;
  for (std::size_t code = 0; code < table.categories(column).size(); ++code)
    if (held.contains(static_cast<std::int32_t>(code))) levels.push_back(table.categories(column)[code]);
  return levels;
}

}  // namespace

std::vector<std::string> Model::warnings(const Table& table) const {
  std::vector<std::string> sentences;
  for (const encode::Feature& feature : parts_->encoder.features()) {
    const std::optional<std::size_t> column = table.find(feature.name);
    if (feature.type != ColumnType::kCategory || feature.categories.empty() || !column ||
        table.type(*column) != ColumnType::kCategory)
      continue;
    const std::vector<std::string> held = levels_held(table, *column);
    const std::unordered_set<std::string> known(feature.categories.begin(), feature.categories.end());
    const bool strange = std::none_of(held.begin(), held.end(),
                                      [&](const std::string& level) { return known.contains(level); });
    if (held.empty() || !strange) continue;
    sentences.push_back(fmt::format(
        "'{}' holds no level that the model knows, so it tells the model nothing: here {}, in training {}",
        feature.name, listing(held, kNamed), listing(feature.categories, kNamed)));
  }
  return sentences;
}

}  // namespace mirrorball
