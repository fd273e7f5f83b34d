#include "serve/background.h"

#include <utility>

#include "base/random.h"

namespace mirrorball::serve {
namespace {

template <class Value>
void shuffle_feature(std::vector<Value>& values, std::uint32_t feature) {
  Stream random(0, Purpose::kBackground, feature);
  shuffle(values, random);
}

}  // namespace

Table made_background(const Schema& schema, std::size_t rows) {
  Table table;
  std::uint32_t number = 0;
  for (const ColumnSchema& feature : schema.features) {
    ++number;
    if (feature.is_number()) {
      std::vector<double> values(rows);
      for (std::size_t i = 0; i < rows; ++i)
        values[i] = feature.training_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(rows));
      shuffle_feature(values, number);
      table.add_numbers(feature.name, values);
    } else {
      const std::vector<std::string>& known = feature.categories;  // the most frequent where not all fit
      std::vector<std::string> categories(rows);
      for (std::size_t i = 0; i < rows && !known.empty(); ++i) categories[i] = known[i % known.size()];
      shuffle_feature(categories, number);
      table.add_categories(feature.name, categories);
    }
  }
  return table;
}

}  // namespace mirrorball::serve
