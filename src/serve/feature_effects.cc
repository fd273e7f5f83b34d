#include "serve/feature_effects.h"

#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "explain/cells.h"
#include "explain/composites.h"
#include "model/row_sampler.h"

namespace mirrorball::serve {
namespace {

constexpr std::size_t kSamples = 64;
/// About so many rows are composed, a tenth of a second; beyond so many features, none.
constexpr std::size_t kComposed = 512, kLeastRows = 4, kMostRows = 24, kMostFeatures = 500;

/// Rows of the table, evenly apart.
std::vector<std::size_t> some_of(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> chosen(std::min(rows, count));
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i * rows / chosen.size();
  return chosen;
}

}  // namespace

std::vector<std::vector<double>> feature_effects(const Model& model, const Table& background,
                                                 unsigned threads) {
  const std::size_t features = model.schema().features.size();
  if (features > kMostFeatures) return {};
  PredictOptions options;
  options.samples = kSamples;
  ThreadPool pool(threads);
  const model::RowSampler sampler(model, options, pool);
  const std::size_t wanted = std::clamp(kComposed / features, kLeastRows, kMostRows);
  const rows::EncodedRows rows = sampler.encode(background, some_of(background.rows(), wanted));
  const std::vector<std::u16string> cells = shap::cell_numbers(sampler.features(), rows);
  const Predictive own = sampler.sample(rows);

  std::vector<std::vector<double>> effects(features, std::vector<double>(sampler.targets()));
  for (std::size_t x = 0; x < rows.rows; ++x) {
    shap::Composites composites(sampler.features(), rows, x, rows, cells);
    std::vector<std::size_t> changed;  // the feature of each composed row
    std::vector<std::uint8_t> from_x(composites.varying().size(), 1);
    for (std::size_t step = 1; step < rows.rows; ++step)
      for (const std::uint32_t i : composites.differing((x + step) % rows.rows)) {
        const std::size_t feature = composites.varying()[i];
        if (std::find(changed.begin(), changed.end(), feature) != changed.end()) continue;
        from_x[i] = 0;
        composites.number(from_x, (x + step) % rows.rows);
        from_x[i] = 1;
        changed.push_back(feature);
      }
    if (changed.empty()) continue;
    const Predictive moved = sampler.sample(composites.take_new());
    for (std::size_t row = 0; row < changed.size(); ++row)
      for (std::size_t t = 0; t < sampler.targets(); ++t)
        effects[changed[row]][t] +=
            std::fabs(moved.mean(row, t) - own.mean(x, t)) / static_cast<double>(rows.rows);
  }
  return effects;
}

}  // namespace mirrorball::serve
