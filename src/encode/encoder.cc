#include "encode/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/suggest.h"
#include "encode/moments.h"
#include "plan/rules.h"
#include "table/source_prefix.h"

namespace mirrorball::encode {
namespace {

/// Rows that a thread encodes at a time.
constexpr std::size_t kTaskRows = 1024;

Feature fit_number(const Table& table, std::size_t column, std::span<const std::uint32_t> rows, bool alone,
                   const Options& options) {
  Feature feature;
  std::vector<double> values = gather_numbers(table, column, rows);
  const auto end = std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  feature.missing = end != values.end();
  values.erase(end, values.end());
  if (values.empty()) values.push_back(0.0);
  feature.dates = table.holds_dates(column);
  if (feature.dates) feature.cycles = DateCycles::fit(values);
  const Transform wish = alone
                             ? plan::only_feature_transform(options.input_transform, extent(values).farthest)
                             : options.input_transform;
  feature.transform = NumberTransform::fit(wish, values, options.knots);
  check_untransformed(options.input_transform, values,
                      fmt::format("{}feature '{}'", table::source_prefix(table), table.header()[column]),
                      "input_transform");
  feature.typical = values[values.size() / 2];
  return feature;
}

Feature fit_category(const Table& table, std::size_t column, std::span<const std::uint32_t> rows,
                     const Options& options) {
  Feature feature;
  const std::vector<std::string>& categories = table.categories(column);
  std::vector<std::size_t> count(categories.size(), 0);
  for (std::uint32_t row : rows) {
    const std::int32_t code = table.code(row, column);
    if (code == Table::kMissing) {
      feature.missing = true;
    } else {
      ++count[static_cast<std::size_t>(code)];
    }
  }
  std::vector<std::size_t> order(categories.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  const auto met = static_cast<std::size_t>(
      std::count_if(count.begin(), count.end(), [](std::size_t rows_of_it) { return rows_of_it > 0; }));
  if (plan::names_rows(met, std::accumulate(count.begin(), count.end(), std::size_t{0}))) return feature;
  for (std::size_t category : order) {
    if (count[category] < plan::kFewestCategoryRows ||
        feature.categories.size() == static_cast<std::size_t>(options.max_categories))
      break;
    feature.categories.push_back(categories[category]);
  }
  return feature;
}

/// Numbers that enter by their ranks enter by their values too, unless there are many, or only one, whose
/// effect is a smooth curve.
void add_plain(std::vector<Feature>& features, std::size_t rows, const Options& options) {
  const auto numbers = std::count_if(features.begin(), features.end(), [](const Feature& one) {
    return one.type == ColumnType::kNumber && !one.transform.constant();
  });
  if (!plan::numbers_by_value(options, rows, static_cast<std::size_t>(numbers))) return;
  for (Feature& feature : features)
    if (PlainNumber::can_be_told_from(feature.transform)) feature.plain.emplace(feature.transform);
}

}  // namespace

std::vector<double> gather_numbers(const Table& table, std::size_t column,
                                   std::span<const std::uint32_t> rows) {
  std::vector<double> values(rows.size()), stretch(1024);
  for (std::size_t i = 0, begin = 0, end = 0; i < rows.size(); ++i) {
    if (rows[i] < begin || rows[i] >= end) {
      begin = rows[i];
      end = std::min(table.rows(), begin + stretch.size());
      table.copy_numbers(column, begin, end, stretch.data());
    }
    values[i] = stretch[rows[i] - begin];
  }
  return values;
}

void Feature::write(double x, float* row) const {
  const bool absent = std::isnan(x);
  const double known = transform.kept(x);
  row[place.number] = absent ? 0.0f : static_cast<float>(transform.forward(known));
  if (plain) row[place.plain] = absent ? 0.0f : static_cast<float>(plain->forward(known));
  if (place.cycle_columns == 0) return;
  if (absent)
    std::fill_n(row + place.cycles, place.cycle_columns, 0.0f);
  else
    cycles.write(x, row + place.cycles);
}

Encoder::Encoder(std::vector<Feature> features) : features_(std::move(features)) {
  std::int32_t next = 0;
  for (Feature& feature : features_) {
    feature.first_row = next;
    next += feature.learned_rows();
    if (feature.type == ColumnType::kNumber) feature.place.number = number_columns_++;
    if (feature.has_code()) feature.place.code = code_columns_++;
  }
  for (Feature& feature : features_)
    if (feature.plain) feature.place.plain = number_columns_++;
  for (Feature& feature : features_) {
    if (feature.cycles.columns() == 0) continue;
    feature.place.cycles = static_cast<std::ptrdiff_t>(number_columns_);
    feature.place.cycle_columns = feature.cycles.columns();
    number_columns_ += feature.place.cycle_columns;
  }
  learned_rows_ = static_cast<std::size_t>(next);
}

Encoder Encoder::fit(const Table& table, std::span<const std::string> names,
                     std::span<const std::uint32_t> rows, const Options& options, ThreadPool& pool) {
  std::vector<Feature> features(names.size());
  pool.run(names.size(), [&](std::size_t i, unsigned) {
    const std::size_t column = table.column(names[i]);
    const ColumnType type = table.type(column);
    features[i] = type == ColumnType::kNumber ? fit_number(table, column, rows, names.size() == 1, options)
                                              : fit_category(table, column, rows, options);
    features[i].name = names[i];
    features[i].type = type;
  });
  add_plain(features, rows.size(), options);
  Encoder made(std::move(features));
  if (made.number_columns() + made.code_columns() == 0)
    bad_input(
        "{}no features left: the values of the {} text column{} occur in too few rows each ('{}'); add a "
        "column whose values repeat, or numbers",
        table::source_prefix(table), names.size(), names.size() == 1 ? "" : "s", names[0]);
  return made;
}

Encoder::Bound Encoder::bind(const Table& table) const {
  std::vector<std::string> missing;
  for (const Feature& feature : features_)
    if (!table.find(feature.name)) missing.push_back(feature.name);
  if (!missing.empty())
    bad_input("{}{} of the model's {} features {} missing: {} (the table has {}){}",
              table::source_prefix(table), missing.size(), features_.size(),
              missing.size() == 1 ? "is" : "are", listing(missing), listing(table.header()),
              did_you_mean(missing.front(), table.header()));

  Bound bound;
  bound.encoder_ = this;
  bound.table_ = &table;
  for (const Feature& feature : features_) {
    Bound::BoundColumn source{table.column(feature.name), {}};
    const bool number = feature.type == ColumnType::kNumber;
    if ((table.type(source.column) == ColumnType::kNumber) != number)
      bad_input("{}column '{}' contains {}, but the model expects {}: fix or convert the column",
                table::source_prefix(table), feature.name, number ? "text" : "numbers",
                number ? "numbers" : "text");
    if (!number) {
      std::unordered_map<std::string_view, std::int32_t> row_of;
      for (std::size_t k = 0; k < feature.categories.size(); ++k)
        row_of.emplace(feature.categories[k], feature.first_row + static_cast<std::int32_t>(k));
      for (const std::string& category : table.categories(source.column)) {
        const auto found = row_of.find(category);
        source.learned_row.push_back(found == row_of.end() ? rows::EncodedRows::kNothing : found->second);
      }
    }
    bound.columns_.push_back(std::move(source));
  }
  return bound;
}

void Encoder::Bound::encode(std::size_t begin, std::size_t end, rows::EncodedRows& out,
                            std::size_t at) const {
  std::vector<double> numbers(end - begin);
  std::vector<std::int32_t> codes(end - begin);
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    const Feature& feature = encoder_->features_[f];
    const BoundColumn& source = columns_[f];
    if (feature.type == ColumnType::kNumber) {
      table_->copy_numbers(source.column, begin, end, numbers.data());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        codes[i] = std::isnan(numbers[i]) ? feature.missing_row() : rows::EncodedRows::kNothing;
        feature.write(numbers[i], out.numbers.data() + (at + i) * out.number_columns);
      }
    } else {
      table_->copy_codes(source.column, begin, end, codes.data());
      for (std::int32_t& code : codes)
        code = code == Table::kMissing ? feature.missing_row()
                                       : source.learned_row[static_cast<std::size_t>(code)];
    }
    if (!feature.has_code()) continue;
    std::int32_t* to = out.codes.data() + at * out.code_columns + feature.place.code;
    for (std::size_t i = 0; i < codes.size(); ++i) to[i * out.code_columns] = codes[i];
  }
}

void Encoder::Bound::encode(std::size_t begin, std::size_t end, rows::EncodedRows& out, std::size_t at,
                            ThreadPool& pool) const {
  pool.run((end - begin + kTaskRows - 1) / kTaskRows, [&](std::size_t task, unsigned) {
    const std::size_t first = task * kTaskRows;
    encode(begin + first, std::min(end, begin + first + kTaskRows), out, at + first);
  });
}

}  // namespace mirrorball::encode
