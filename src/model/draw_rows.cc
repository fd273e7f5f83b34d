#include "model/draw_rows.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "model/pool_draws.h"
#include "rows/memory_rows.h"

namespace mirrorball::model {
namespace {

/// Where the draws go that come one network after the other, then the forest's: to an order shuffled once for
/// all rows, so that the first few draws are a fair sample too.
std::vector<std::size_t> shuffled_places(std::size_t samples, std::uint64_t seed) {
  std::vector<std::size_t> places(samples);
  std::iota(places.begin(), places.end(), std::size_t{0});
  Stream random(seed, Purpose::kPredict, 0);
  for (std::size_t i = samples; i > 1; --i)
    std::swap(places[i - 1], places[random.below(static_cast<std::uint32_t>(i))]);
  return places;
}

constexpr std::size_t kLeastPool = 200, kRowTask = 64;

struct RowScratch {
  std::vector<double> draws;
  std::vector<float> quantiles;
  calibrate::CalibrationScratch calibration;
  forest::Forest::Scratch forest;
};

void add_forest_draws(const forest::Forest& forest, const rows::EncodedRows& inputs, std::size_t row,
                      std::size_t count, RowScratch& own) {
  own.quantiles.resize(count);
  forest.quantiles({inputs.numbers.data() + row * inputs.number_columns, inputs.number_columns},
                   {inputs.codes.data() + row * inputs.code_columns, inputs.code_columns}, own.quantiles,
                   own.forest);
  own.draws.insert(own.draws.end(), own.quantiles.begin(), own.quantiles.end());
}

}  // namespace

rows::EncodedRows encode_rows(const Model::Parts& parts, const Table& table, std::size_t begin,
                              std::size_t end, ThreadPool& pool) {
  const std::size_t rows = end - begin;
  rows::EncodedRows inputs(rows, parts.encoder.number_columns(), parts.encoder.code_columns());
  const encode::Encoder::Bound bound = parts.encoder.bind(table);
  constexpr std::size_t kTask = 1024;
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
    const std::size_t first = task * kTask;
    bound.encode(begin + first, begin + std::min(rows, first + kTask), inputs, first);
  });
  return inputs;
}

Predictive draw_rows(const Model::Parts& parts, const rows::EncodedRows& inputs,
                     const PredictOptions& options, ThreadPool& pool, std::optional<std::size_t> only,
                     NoiseCache* cache) {
  if (options.samples == 0) bad_input("0 samples were asked for: at least 1 is needed");
  const std::size_t rows = inputs.rows, network_count = parts.weights.size();
  std::vector<rows::RowNumber> all(rows);
  std::iota(all.begin(), all.end(), rows::RowNumber{0});

  // A network without noise has one draw. Medians and ranks of a few draws would say little: calibration
  // works on a pool of some size, of which the first are given out.
  const bool corrected = options.calibrated && parts.shape.noisy() && parts.is_calibrated();
  const std::size_t samples = parts.shape.noisy() ? options.samples : network_count,
                    pooled = corrected ? std::max(samples, kLeastPool) : samples;
  const std::size_t from_forest = corrected ? calibrate::forest_draws(parts.calibration[0], pooled) : 0,
                    from_networks = pooled - from_forest, targets = parts.targets.size();
  const std::vector<float> networks = network_draws(parts, *parts.engine, rows::InputRows(inputs), all,
                                                    from_networks, options.seed, pool, cache);
  const std::vector<std::size_t> places = shuffled_places(pooled, options.seed);
  const std::size_t begin = only.value_or(0), end = only ? begin + 1 : targets;
  Predictive result(rows, samples,
                    {parts.targets.begin() + static_cast<std::ptrdiff_t>(begin),
                     parts.targets.begin() + static_cast<std::ptrdiff_t>(end)});
  std::vector<RowScratch> scratch(pool.size());
  pool.run((rows + kRowTask - 1) / kRowTask, [&](std::size_t task, unsigned worker) {
    RowScratch& own = scratch[worker];
    for (std::size_t row = task * kRowTask; row < std::min(rows, (task + 1) * kRowTask); ++row)
      for (std::size_t t = begin; t < end; ++t) {
        const float* first = networks.data() + (row * targets + t) * from_networks;
        own.draws.assign(first, first + from_networks);
        if (from_forest > 0) add_forest_draws(parts.forest, inputs, row, from_forest, own);
        if (corrected) calibrate::apply(parts.calibration[t], from_networks, own.draws, own.calibration);
        const std::span<double> out = result.draws(row, t - begin);
        for (std::size_t i = 0; i < pooled; ++i)
          if (places[i] < samples) out[places[i]] = parts.transforms[t].inverse(own.draws[i]);
      }
  });
  return result;
}

}  // namespace mirrorball::model
