#include "serve/row_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/suggest.h"
#include "serve/api_error.h"
#include "table/cells.h"

namespace mirrorball::serve {
namespace {

constexpr std::size_t kMostCategoryBytes = 10'000;

double number_cell(const std::string& field, const Json& value, bool dates) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (dates && value.is_string()) return date_from(field, value);
  if (!value.is_number())
    throw ApiError(400, field, fmt::format("{} is {}, but the feature is a number", field, in_words(value)),
                   "give a number without quotes, or null for a missing value");
  const double number = value.get<double>();
  if (!(std::fabs(number) <= std::numeric_limits<float>::max()))
    throw ApiError(400, field, fmt::format("{} is {}", field, in_words(value)),
                   "give a number from -3.4e38 to 3.4e38, or null for a missing value");
  return number;
}

/// Categories that look like numbers may come as numbers.
std::string category_cell(const std::string& field, const Json& value) {
  if (value.is_null()) return {};
  if (value.is_number()) return value.dump();
  if (!value.is_string())
    throw ApiError(400, field, fmt::format("{} is {}, but the feature is a category", field, in_words(value)),
                   "give a string, or null for a missing value");
  const std::string& category = value.get_ref<const std::string&>();
  if (category.size() > kMostCategoryBytes)
    throw ApiError(400, field, fmt::format("{} has {} bytes", field, category.size()),
                   fmt::format("give a category of at most {} bytes", kMostCategoryBytes));
  return category;
}

}  // namespace

double date_from(const std::string& field, const Json& text) {
  double seconds = std::numeric_limits<double>::quiet_NaN();
  const table::CellKind kind = table::classify(text.get_ref<const std::string&>(), seconds);
  if (kind == table::CellKind::kText || kind == table::CellKind::kInfinite)
    throw ApiError(400, field, fmt::format("{} is {}, not a date", field, in_words(text)),
                   "write it as 2024-02-29 or 2024-02-29T13:30:00Z, or give seconds since 1970");
  return seconds;
}

RowReader::RowReader(const Schema& schema) {
  for (const ColumnSchema& target : schema.targets) targets_.push_back(target.name);
  for (const ColumnSchema& feature : schema.features) {
    features_.push_back(feature.name);
    is_number_.push_back(feature.is_number());
    places_[feature.name] = {is_number_.back(), feature.dates,
                             is_number_.back() ? numbers_++ : categories_++};
  }
}

void RowReader::refuse_name(const std::string& field, const std::string& name) const {
  throw ApiError(400, field,
                 fmt::format("unknown feature {}{}", in_quotes(name), did_you_mean(name, features_)),
                 "the features are " + listing(features_));
}

Table RowReader::read(const Fields& request, std::size_t most) const {
  const Json *one = request.find("row"), *many = request.find("rows");
  if ((one == nullptr) == (many == nullptr))
    throw ApiError(400, one == nullptr ? "row" : "rows",
                   one == nullptr ? "no row is given" : "both row and rows are given",
                   R"(give one row, as {"row": {"feature": 1.5}}, or several, as {"rows": [{…}, {…}]})");
  if (many != nullptr && (!many->is_array() || many->empty() || many->size() > most))
    throw ApiError(many->is_array() && many->size() > most ? 413 : 400, "rows",
                   fmt::format("rows is {}", in_words(*many)),
                   fmt::format("give a list of 1 to {} rows", most));

  const std::size_t rows = many == nullptr ? 1 : many->size();
  std::vector<std::vector<double>> numbers(
      numbers_, std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN()));
  std::vector<std::vector<std::string>> categories(categories_, std::vector<std::string>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    const Json& cells = many == nullptr ? *one : (*many)[row];
    const std::string path = many == nullptr ? "row" : fmt::format("rows[{}]", row);
    if (!cells.is_object())
      throw ApiError(400, path, fmt::format("{} is {}", path, in_words(cells)),
                     R"(give an object, as {"feature": 1.5})");
    for (const auto& [name, value] : cells.items()) {
      const auto place = places_.find(name);
      if (place == places_.end()) {
        if (std::find(targets_.begin(), targets_.end(), name) != targets_.end()) continue;
        refuse_name(path + "." + name, name);
      }
      const std::size_t at = place->second.at;
      if (place->second.number) {
        numbers[at][row] = number_cell(path + "." + name, value, place->second.dates);
      } else {
        categories[at][row] = category_cell(path + "." + name, value);
      }
    }
  }

  Table table;
  for (std::size_t feature = 0, number = 0, category = 0; feature < features_.size(); ++feature)
    is_number_[feature] ? table.add_numbers(features_[feature], numbers[number++])
                        : table.add_categories(features_[feature], categories[category++]);
  return table;
}

}  // namespace mirrorball::serve
