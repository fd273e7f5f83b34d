#include "serve/background.h"

#include <utility>

#include "base/random.h"
#include "model/parts.h"

namespace mirrorball {
namespace {

template <class Value>
void shuffle(std::vector<Value>& values, std::uint32_t feature) {
  Stream random(0, Purpose::kBackground, feature);
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace

Table made_background(const Model& model, std::size_t rows) {
  Table table;
  std::uint32_t number = 0;
  for (const Feature& feature : model.parts().encoder.features()) {
    ++number;
    if (feature.type == ColumnType::kNumber) {
      std::vector<double> values(rows);
      for (std::size_t i = 0; i < rows; ++i)
        values[i] =
            feature.transform.training_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(rows));
      shuffle(values, number);
      table.add_numbers(feature.name, values);
    } else {
      std::vector<std::string> levels(rows);
      for (std::size_t i = 0; i < rows && !feature.levels.empty();
           ++i)  // the most frequent where not all fit
        levels[i] = feature.levels[i % feature.levels.size()];
      shuffle(levels, number);
      table.add_categories(feature.name, levels);
    }
  }
  return table;
}

}  // namespace mirrorball
