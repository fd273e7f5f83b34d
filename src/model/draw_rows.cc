#include "model/draw_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/random.h"
#include "model/pool_draws.h"
#include "rows/memory_rows.h"

namespace mirrorball::model {
namespace {

/// Where the draws go that come one network after the other, then the others': to an order shuffled once for
/// all rows, so that the first few draws are a fair sample too.
std::vector<std::size_t> shuffled_places(std::size_t samples, std::uint64_t seed) {
  std::vector<std::size_t> places(samples);
  std::iota(places.begin(), places.end(), std::size_t{0});
  Stream random(seed, Purpose::kPredict, 0);
  shuffle(places, random);
  return places;
}

/// The source of each sample that is given out: its network, counted from 0, then forest, Gaussian process
/// and neighbours, in the order of the pool.
std::vector<std::uint32_t> sources_of(std::span<const std::size_t> places, std::size_t samples,
                                      std::size_t networks, const calibrate::PoolParts& counts) {
  std::vector<std::uint32_t> sources(samples);
  const auto give = [&](std::size_t begin, std::size_t end, std::size_t source) {
    for (std::size_t i = begin; i < end; ++i)
      if (places[i] < samples) sources[places[i]] = static_cast<std::uint32_t>(source);
  };
  for (std::size_t i = 0; i < networks; ++i)
    give(first_draw(i, networks, counts.networks), first_draw(i + 1, networks, counts.networks), i);
  give(counts.networks, counts.networks + counts.forest, networks);
  const std::size_t process = counts.networks + counts.forest, neighbours = process + counts.process;
  give(process, neighbours, networks + 1);
  give(neighbours, places.size(), networks + 2);
  return sources;
}

/// Draws that a calibration works on, at least; rows of a task.
constexpr std::size_t kLeastPool = 200, kRowTask = 64;

struct RowScratch {
  std::vector<double> draws;
  std::vector<float> quantiles;  ///< of the forest, one target after the other
  std::vector<float> process_quantiles;
  std::vector<float> neighbour_quantiles;  ///< one target after the other
  std::vector<float> means;                ///< of the networks' draws
  calibrate::CalibrationScratch calibration;
  forest::Forest::Scratch forest;
  process::GaussianProcess::Scratch process;
  neighbours::Neighbours::Scratch neighbours;
};

/// Means of the networks' draws of a row, one per target.
void take_means(std::span<const float> draws, std::size_t targets, std::vector<float>& means) {
  const std::size_t count = draws.size() / targets;
  means.clear();
  for (std::size_t t = 0; t < targets; ++t) {
    const std::span<const float> own = draws.subspan(t * count, count);
    means.push_back(
        static_cast<float>(std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(count)));
  }
}

/// What the experts say of a row for which the networks have these draws.
void ask_experts(const Model::Parts& parts, const rows::EncodedRows& inputs, std::size_t row,
                 std::span<const float> network_draws, const calibrate::PoolParts& counts, RowScratch& own) {
  const std::span<const float> numbers = inputs.numbers_of(row);
  const std::span<const std::int32_t> codes = inputs.codes_of(row);
  own.quantiles.resize(counts.forest * parts.targets.size());
  own.process_quantiles.resize(counts.process);
  if (counts.forest > 0) parts.forest.quantiles(numbers, codes, own.quantiles, own.forest);
  if (counts.process > 0)
    parts.process.quantiles(numbers, codes, parts.transforms[0], own.process_quantiles, own.process);
  own.neighbour_quantiles.resize(counts.neighbours * parts.targets.size());
  if (counts.neighbours == 0) return;
  take_means(network_draws, parts.targets.size(), own.means);
  parts.neighbours.quantiles(numbers, codes, own.means, own.neighbour_quantiles, own.neighbours);
}

/// The draws of the experts of one target, after those of the networks.
void add_expert_draws(std::size_t target, const calibrate::PoolParts& counts, RowScratch& own) {
  const auto add = [&](const std::vector<float>& from, std::size_t count, std::size_t at) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(at * count);
    own.draws.insert(own.draws.end(), first, first + static_cast<std::ptrdiff_t>(count));
  };
  add(own.quantiles, counts.forest, target);
  add(own.process_quantiles, counts.process, 0);
  add(own.neighbour_quantiles, counts.neighbours, target);
}

/// Moves the pool of one target by what the boosted trees say.
void move_to_boosted(const Model::Parts& parts, const rows::EncodedRows& inputs, std::size_t row,
                     std::size_t target, const calibrate::PoolParts& counts, std::span<double> pool) {
  const double weight = parts.calibration[target].boost_weight;
  if (weight == 0) return;
  calibrate::move_towards(parts.boosted[target].mean(inputs.numbers_of(row), inputs.codes_of(row)), weight,
                          counts, pool);
}

/// A sum of numbers is finite if and only if all of them are: a float's range fits into a double's many
/// times. Weights of a file that is damaged on purpose can give others.
void check_finite(std::span<const double> numbers) {
  if (!std::isfinite(std::accumulate(numbers.begin(), numbers.end(), 0.0)))
    bad_input("the model's weights give samples that are not finite numbers: its file is damaged");
}

/// What the samples of a row are made of.
struct Pooling {
  bool corrected = false;
  std::size_t samples = 0, pooled = 0;  ///< given out, and drawn
  calibrate::PoolParts counts;
  std::vector<std::size_t> places;  ///< of the pooled draws among the samples
};

/// A network without noise has one draw. Medians and ranks of a few draws would say little: calibration works
/// on a pool of some size, of which the first are given out.
Pooling pooling_of(const Model::Parts& parts, const PredictOptions& options) {
  Pooling made;
  made.corrected = options.calibrated && parts.shape.noisy() && parts.is_calibrated();
  made.samples = parts.shape.noisy() ? options.samples : parts.weights.size();
  made.pooled = made.corrected ? std::max(made.samples, kLeastPool) : made.samples;
  made.counts = made.corrected ? calibrate::pool_parts(parts.calibration[0], made.pooled)
                               : calibrate::PoolParts{made.pooled};
  made.places = shuffled_places(made.pooled, options.seed);
  return made;
}

/// Gives out the samples of the targets from `begin` on, as many as `result` has, of a row for which the
/// networks have these draws, one target after the other.
void write_row(const Model::Parts& parts, const rows::EncodedRows& inputs, std::size_t row,
               std::span<const float> network_draws, const Pooling& pooling, std::size_t begin,
               RowScratch& own, Predictive& result) {
  const std::size_t count = pooling.counts.networks;
  ask_experts(parts, inputs, row, network_draws, pooling.counts, own);
  for (std::size_t t = begin; t < begin + result.targets(); ++t) {
    const std::span<const float> draws = network_draws.subspan(t * count, count);
    own.draws.assign(draws.begin(), draws.end());
    check_finite(own.draws);
    add_expert_draws(t, pooling.counts, own);
    if (pooling.corrected) {
      move_to_boosted(parts, inputs, row, t, pooling.counts, own.draws);
      calibrate::apply(parts.calibration[t], count, own.draws, own.calibration);
    }
    const std::span<double> out = result.row_samples(row, t - begin);
    for (std::size_t i = 0; i < pooling.pooled; ++i)
      if (pooling.places[i] < pooling.samples)
        out[pooling.places[i]] = parts.transforms[t].inverse(own.draws[i]);
    check_finite(out);
  }
}

}  // namespace

rows::EncodedRows encode_rows(const Model::Parts& parts, const Table& table, std::size_t begin,
                              std::size_t end, ThreadPool& pool) {
  const std::size_t rows = end - begin;
  rows::EncodedRows inputs(rows, parts.encoder.number_columns(), parts.encoder.code_columns());
  parts.encoder.bind(table).encode(begin, end, inputs, 0, pool);
  return inputs;
}

Predictive draw_rows(const Model::Parts& parts, const rows::EncodedRows& inputs,
                     const PredictOptions& options, ThreadPool& pool, std::optional<std::size_t> only,
                     NoiseCache* cache) {
  if (options.samples == 0) bad_input("0 samples: use at least 1");
  const std::size_t rows = inputs.rows, networks = parts.weights.size(), targets = parts.targets.size();
  std::vector<rows::RowNumber> all(rows);
  std::iota(all.begin(), all.end(), rows::RowNumber{0});
  const Pooling pooling = pooling_of(parts, options);
  const engine::DrawEngine& drawer = parts.drawer(options.device);
  if (&drawer != parts.engine.get()) cache = nullptr;  // it has the CPU's noise
  const Buffer<float> draws = network_draws(parts, drawer, networks, rows::InputRows(inputs), all,
                                            pooling.counts.networks, options.seed, pool, cache);
  const std::size_t begin = only.value_or(0), end = only ? begin + 1 : targets;
  Predictive result(rows, pooling.samples,
                    {parts.targets.begin() + static_cast<std::ptrdiff_t>(begin),
                     parts.targets.begin() + static_cast<std::ptrdiff_t>(end)});
  for (std::size_t t = begin; t < end; ++t) {
    result.set_limits(t - begin, parts.schema.targets[t].limits());
    result.set_atoms(t - begin, parts.schema.targets[t].atoms());
  }
  result.set_sources(sources_of(pooling.places, pooling.samples, networks, pooling.counts));
  const std::size_t row_size = targets * pooling.counts.networks;
  std::vector<RowScratch> scratch(pool.size());
  pool.run((rows + kRowTask - 1) / kRowTask, [&](std::size_t task, unsigned worker) {
    for (std::size_t row = task * kRowTask; row < std::min(rows, (task + 1) * kRowTask); ++row)
      write_row(parts, inputs, row, std::span(draws).subspan(row * row_size, row_size), pooling, begin,
                scratch[worker], result);
  });
  return result;
}

}  // namespace mirrorball::model
