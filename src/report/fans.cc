#include "report/fans.h"

#include <algorithm>

#include "report/training_column.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kValues = 33, kMostFanCategories = 12, kSlices = 24;

Fan grid(const ColumnSchema& feature) {
  Fan fan;
  if (!feature.is_number()) {
    fan.categories.assign(feature.categories.begin(),
                          feature.categories.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           kMostFanCategories, feature.categories.size())));
    return fan;
  }
  const TrainingColumn training(feature);
  double low = training.quantile(0.01), high = training.quantile(0.99);
  if (low == high) low = training.low(), high = training.high();
  const std::size_t count = low < high ? kValues : 1;
  for (std::size_t i = 0; i < count; ++i)
    fan.values.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(kValues - 1));
  return fan;
}

std::size_t length(const Fan& fan) { return fan.values.size() + fan.categories.size(); }

/// One block of rows per fan: its own feature runs, the others are those of row `base`.
Table rows_of(const std::vector<ColumnSchema>& features, const std::vector<std::size_t>& chosen,
              const std::vector<Fan>& fans, const Table& from, std::size_t base, std::size_t rows) {
  Table table;
  for (std::size_t f = 0; f < features.size(); ++f) {
    const ColumnSchema& feature = features[f];
    const std::size_t column = from.column(feature.name);
    std::vector<double> numbers;
    std::vector<std::string> categories;
    if (feature.is_number()) {
      numbers.assign(rows, from.number(base, column));
    } else {
      const std::int32_t code = from.code(base, column);
      categories.assign(
          rows, code == Table::kMissing ? "" : from.categories(column)[static_cast<std::size_t>(code)]);
    }
    for (std::size_t i = 0, at = 0; i < fans.size(); at += length(fans[i++])) {
      if (chosen[i] != f) continue;
      for (std::size_t k = 0; k < fans[i].values.size(); ++k) numbers[at + k] = fans[i].values[k];
      for (std::size_t k = 0; k < fans[i].categories.size(); ++k) categories[at + k] = fans[i].categories[k];
    }
    feature.is_number() ? table.add_numbers(feature.name, numbers)
                        : table.add_categories(feature.name, categories);
  }
  return table;
}

void find_near(const RowSpace& space, std::size_t base, std::size_t f, Fan& fan) {
  std::vector<float> point(space.row(base).begin(), space.row(base).end());
  const auto add = [&](float coordinate) {
    point[f] = coordinate;
    fan.near.push_back(space.has_neighbours(point));
  };
  for (double value : fan.values) add(space.coordinate(f, value));
  for (const std::string& category : fan.categories) add(space.coordinate(f, category));
}

}  // namespace

std::vector<Fan> fans(const Model& model, const std::vector<std::size_t>& features, const Table& table,
                      const RowSpace& space, std::size_t base, const Forecasts& all,
                      const PredictOptions& options) {
  const std::vector<ColumnSchema>& known = model.schema().features;
  std::vector<Fan> result;
  std::size_t rows = 0;
  for (std::size_t f : features) {
    result.push_back(grid(known[f]));
    result.back().slices = pooled_slices(all, table, known[f],
                                         known[f].type == ColumnType::kNumber ? kSlices : kMostFanCategories);
    find_near(space, base, f, result.back());
    rows += length(result.back());
  }
  const Predictive forecast = model.predict(rows_of(known, features, result, table, base, rows), options);
  std::size_t at = 0;
  for (Fan& fan : result) {
    fan.quantiles.assign(model.targets().size(), {});
    for (std::size_t i = 0; i < length(fan); ++i, ++at)
      for (std::size_t t = 0; t < model.targets().size(); ++t) {
        const std::vector<double> values = forecast.quantiles(kFanLevels, at, t);
        auto& to = fan.quantiles[t].emplace_back();
        std::copy(values.begin(), values.end(), to.begin());
      }
  }
  return result;
}

}  // namespace mirrorball::report
