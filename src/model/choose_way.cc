#include "model/choose_way.h"

#include <algorithm>
#include <numeric>

namespace mirrorball::model {
namespace {

constexpr double kSharpness[] = {0.5, 1, 2, 4, 8};

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

std::optional<neighbours::Way> choose_way(const NearRows& near, const neighbours::FittedNeighbours& fitted,
                                          std::size_t count, calibrate::AllowedWeights allowed,
                                          ThreadPool& pool, std::vector<calibrate::HeldOut>& to) {
  const calibrate::PoolScore without = score_of(to, allowed, pool);
  calibrate::PoolScore least = without;
  neighbours::Way best;
  for (const bool errors : {false, true}) {
    if (errors && fitted.errors.empty()) continue;
    for (const double sharpness : kSharpness) {
      const neighbours::Way way{sharpness, errors};
      add_neighbours(near, fitted, way, count, pool, to);
      calibrate::PoolScore with = score_of(to, allowed, pool);
      if (!(with.mean < least.mean)) continue;
      least = std::move(with);
      best = way;
    }
  }
  if (calibrate::sure_part(to[0], least, without) == 0) {
    for (calibrate::HeldOut& target : to) target.neighbours = {};
    return std::nullopt;
  }
  add_neighbours(near, fitted, best, count, pool, to);
  return best;
}

}  // namespace mirrorball::model
