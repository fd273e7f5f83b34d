#include "model/choose_way.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order_statistics.h"

namespace mirrorball::model {
namespace {

constexpr double kSharpness[] = {0.5, 1, 2, 4, 8};
/// Noise, as parts of how far a row's target is from its nearest neighbour's. Where the CRPS hardly tells,
/// more is better: a distribution of few values is none that anybody believes.
constexpr double kNoises[] = {1, 0.5, 0.25, 0.125, 0}, kHardly = 1.0005;

/// Sums over the targets.
calibrate::PoolScore score_of(std::span<const calibrate::HeldOut> targets, calibrate::AllowedWeights allowed,
                              ThreadPool& pool) {
  calibrate::PoolScore sum;
  for (const calibrate::HeldOut& target : targets) {
    const calibrate::PoolScore one = calibrate::pool_score(target, allowed, 0, pool);
    sum.mean += one.mean;
    sum.crps.resize(one.crps.size());
    for (std::size_t row = 0; row < one.crps.size(); ++row) sum.crps[row] += one.crps[row];
  }
  return sum;
}

float mean_of(std::span<const float> draws) {
  return static_cast<float>(std::accumulate(draws.begin(), draws.end(), 0.0) /
                            static_cast<double>(draws.size()));
}

/// Of each target, the median distance of the held-out rows' outcomes to what the nearest neighbour gives.
std::vector<double> nearest_errors(const NearRows& near, const neighbours::Neighbours& made,
                                   std::span<const calibrate::HeldOut> to) {
  std::vector<double> medians;
  for (std::size_t t = 0; t < to.size(); ++t) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < near.size(); ++i) {
      if (near[i].empty()) continue;
      const auto row = static_cast<std::size_t>(near[i][0].row);
      const float given =
          made.values[row * made.targets + t] + (made.way.errors ? mean_of(to[t].network.of(i)) : 0.0f);
      errors.push_back(std::abs(to[t].transformed_truth[i] - static_cast<double>(given)));
    }
    medians.push_back(errors.empty() ? 0 : median(errors));
  }
  return medians;
}

}  // namespace

NearRows near_rows(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                   const neighbours::FittedNeighbours& fitted, ThreadPool& pool) {
  NearRows near(which.size());
  std::vector<neighbours::Neighbours::Scratch> scratch(pool.size());
  pool.run(which.size(), [&](std::size_t i, unsigned worker) {
    const auto found = fitted.nearest(rows.inputs, which[i], scratch[worker]);
    near[i].assign(found.begin(), found.end());
  });
  return near;
}

void add_neighbours(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                    const neighbours::Way& way, std::size_t count, ThreadPool& pool,
                    std::span<calibrate::HeldOut> to) {
  const neighbours::Neighbours made = fitted.in_way(way);
  for (calibrate::HeldOut& target : to) target.neighbours = {count, std::vector<float>(near.size() * count)};
  std::vector<neighbours::Neighbours::Scratch> scratch(pool.size());
  pool.run(near.size(), [&](std::size_t i, unsigned worker) {
    std::vector<float> means, found(to.size() * count);
    for (const calibrate::HeldOut& target : to) means.push_back(mean_of(target.network.of(i)));
    made.quantiles(near[i], means, found, scratch[worker]);
    for (std::size_t t = 0; t < to.size(); ++t) {
      const auto out = to[t].neighbours.values.begin() + static_cast<std::ptrdiff_t>(i * count);
      std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(t * count), count, out);
      std::sort(out, out + static_cast<std::ptrdiff_t>(count));
    }
  });
}

namespace {

/// The most noise with which the CRPS is hardly greater than the least; `to` gets its draws.
calibrate::PoolScore choose_noise(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                                  std::size_t count, calibrate::AllowedWeights allowed, ThreadPool& pool,
                                  std::vector<calibrate::HeldOut>& to, neighbours::Way& way) {
  const std::vector<double> errors = nearest_errors(near, fitted.in_way(way), to);
  std::vector<calibrate::PoolScore> scores;
  std::vector<neighbours::Way> ways;
  double least = std::numeric_limits<double>::infinity();
  for (const double noise : kNoises) {
    ways.push_back(way);
    if (noise > 0)
      for (const double error : errors) ways.back().noise.push_back(noise * error);
    add_neighbours(near, fitted, ways.back(), count, pool, to);
    scores.push_back(score_of(to, allowed, pool));
    least = std::min(least, scores.back().mean);
  }
  const auto first = std::ranges::find_if(
      scores, [&](const calibrate::PoolScore& score) { return score.mean <= kHardly * least; });
  const auto chosen = static_cast<std::size_t>(first - scores.begin());
  way = ways[chosen];
  add_neighbours(near, fitted, way, count, pool, to);
  return scores[chosen];
}

}  // namespace

std::optional<neighbours::Way> choose_way(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                                          std::size_t count, calibrate::AllowedWeights allowed,
                                          ThreadPool& pool, std::vector<calibrate::HeldOut>& to) {
  const calibrate::PoolScore without = score_of(to, allowed, pool);
  calibrate::PoolScore least = without;
  neighbours::Way best;
  for (const bool errors : {false, true}) {
    if (errors && fitted.errors.empty()) continue;
    for (const double sharpness : kSharpness) {
      const neighbours::Way way{sharpness, errors, {}};
      add_neighbours(near, fitted, way, count, pool, to);
      calibrate::PoolScore with = score_of(to, allowed, pool);
      if (!(with.mean < least.mean)) continue;
      least = std::move(with);
      best = way;
    }
  }
  if (calibrate::sure_part(to[0], least, without) > 0)
    least = choose_noise(near, fitted, count, allowed, pool, to, best);
  if (calibrate::sure_part(to[0], least, without) > 0) return best;
  for (calibrate::HeldOut& target : to) target.neighbours = {};
  return std::nullopt;
}

}  // namespace mirrorball::model
