#include "model/held_out.h"

#include <algorithm>
#include <cmath>

#include "calibrate/widening.h"
#include "engine/engine.h"
#include "model/choose_way.h"
#include "model/pool_draws.h"

namespace mirrorball::model {
namespace {

/// Weighted values in ascending order, counted from their middle one so that sums keep their digits.
struct Distribution {
  double middle = 0, mean = 0, within = 0;                   ///< within: the mean |a - b|
  std::vector<double> values, weight_up_to, weighted_up_to;  ///< the sums with each value included

  explicit Distribution(std::vector<std::pair<double, double>> weighted) {
    std::sort(weighted.begin(), weighted.end());
    middle = weighted[weighted.size() / 2].first;
    double total = 0, below = 0;
    for (const auto& one : weighted) total += one.second;
    for (const auto& [value, weight] : weighted) {
      const double share = weight / total, from_middle = value - middle;
      within += 2 * share * (2 * below + share - 1) * from_middle;
      below += share;
      mean += share * from_middle;
      values.push_back(from_middle);
      weight_up_to.push_back(below);
      weighted_up_to.push_back(mean);
    }
  }

  /// mean |a - y| - mean |a - b| / 2
  double crps(double y) const {
    y -= middle;
    const auto place = std::upper_bound(values.begin(), values.end(), y) - values.begin();
    const double below = place == 0 ? 0 : weight_up_to[static_cast<std::size_t>(place - 1)],
                 sum = place == 0 ? 0 : weighted_up_to[static_cast<std::size_t>(place - 1)];
    return y * (2 * below - 1) + mean - 2 * sum - within / 2;
  }
};

void add_forest(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                const forest::GrownForest& grown, std::size_t count, ThreadPool& pool,
                std::span<calibrate::HeldOut> to) {
  for (calibrate::HeldOut& target : to) target.forest = {count, std::vector<float>(which.size() * count)};
  std::vector<forest::Forest::Scratch> scratch(pool.size());
  pool.run(which.size(), [&](std::size_t i, unsigned worker) {
    std::vector<float> found(to.size() * count);
    const bool known =
        grown.forest.quantiles_out_of_bag(rows.inputs, which[i], grown.in_bag, found, scratch[worker]);
    for (std::size_t t = 0; t < to.size(); ++t) {
      const std::span<float> out(to[t].forest.values.data() + i * count, count);
      const std::span<const float> networks = to[t].network.of(i);
      for (std::size_t k = 0; k < count; ++k)
        out[k] = known ? found[t * count + k] : networks[(2 * k + 1) * networks.size() / (2 * count)];
      std::sort(out.begin(), out.end());
    }
  });
}

void add_process(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                 const process::FittedProcess& fitted, std::size_t count, ThreadPool& pool,
                 calibrate::HeldOut& to) {
  to.process = {count, std::vector<float>(which.size() * count)};
  std::vector<process::GaussianProcess::Scratch> scratch(pool.size());
  pool.run(which.size(), [&](std::size_t i, unsigned worker) {
    fitted.held_out_quantiles(rows.inputs, which[i], to.transform,
                              {to.process.values.data() + i * count, count}, scratch[worker]);
  });
}

void add_boosted(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                 const boost::FittedBoost& fitted, ThreadPool& pool, calibrate::HeldOut& to) {
  to.boosted.resize(which.size());
  pool.run(which.size(),
           [&](std::size_t i, unsigned) { to.boosted[i] = fitted.held_out_mean(rows.inputs, which[i]); });
}

/// Draws of the networks that have not trained on a row.
Buffer<float> held_out_draws(const train::TrainingRows& rows, std::span<const rows::RowNumber> which,
                             const PoolSize& size, ThreadPool& pool, const Model::Parts& parts) {
  const std::size_t draws = size.draws.networks, row_size = draws * parts.targets.size();
  const auto draw = [&](const std::vector<Buffer<float>>& weights, std::span<const rows::RowNumber> of) {
    return network_draws(parts, *parts.device->draw(parts.shape, weights), weights.size(), rows, of, draws,
                         size.seed, pool);
  };
  if (rows.folds.empty()) return draw(parts.weights, which);
  Buffer<float> all(which.size() * row_size);
  for (std::size_t fold = 0; fold < rows.folds.size(); ++fold) {
    std::vector<Buffer<float>> weights;
    for (std::size_t k = fold; k < parts.weights.size(); k += rows.folds.size())
      std::copy(parts.weights[k].begin(), parts.weights[k].end(),
                weights.emplace_back(parts.weights[k].size()).begin());
    std::vector<std::size_t> places;
    std::vector<rows::RowNumber> own;
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (!std::binary_search(rows.folds[fold].begin(), rows.folds[fold].end(), which[i])) continue;
      places.push_back(i);
      own.push_back(which[i]);
    }
    const Buffer<float> some = draw(weights, own);
    for (std::size_t i = 0; i < places.size(); ++i)
      std::copy_n(some.begin() + static_cast<std::ptrdiff_t>(i * row_size), row_size,
                  all.begin() + static_cast<std::ptrdiff_t>(places[i] * row_size));
  }
  return all;
}

}  // namespace

std::vector<rows::RowNumber> thinned(const std::vector<rows::RowNumber>& rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<rows::RowNumber> some(most);
  for (std::size_t i = 0; i < most; ++i) some[i] = rows[i * rows.size() / most];
  return some;
}

std::vector<calibrate::HeldOut> forecasts(const train::TrainingRows& rows,
                                          std::span<const rows::RowNumber> which, const PoolSize& size,
                                          const Experts& experts, ThreadPool& pool,
                                          const Model::Parts& parts) {
  const std::size_t targets = parts.targets.size(), draws = size.draws.networks;
  const Buffer<float> all = held_out_draws(rows, which, size, pool, parts);
  const std::size_t asked = parts.weights.size() / std::max<std::size_t>(rows.folds.size(), 1);
  std::vector<calibrate::HeldOut> result(targets);
  for (std::size_t t = 0; t < targets; ++t) {
    calibrate::HeldOut& one = result[t];
    one.rows = which.size();
    one.network.count = draws;
    one.transform = parts.transforms[t];
    for (std::size_t i = 0; i < which.size(); ++i) {
      const std::span<const float> own(all.data() + (i * targets + t) * draws, draws);
      if (!rows.folds.empty()) one.widening.push_back(calibrate::widening(own, asked, parts.weights.size()));
      one.network.add(own);
      std::sort(one.network.values.end() - static_cast<std::ptrdiff_t>(draws), one.network.values.end());
      one.transformed_truth.push_back(static_cast<double>(rows.targets[which[i] * targets + t]));
      one.truth.push_back(rows.observed[which[i] * targets + t]);
      one.weight.push_back(static_cast<double>(rows.weights[which[i]]));
    }
  }
  if (experts.forest && size.draws.forest > 0)
    add_forest(rows, which, *experts.forest, size.draws.forest, pool, result);
  if (experts.process && size.draws.process > 0)
    add_process(rows, which, *experts.process, size.draws.process, pool, result[0]);
  if (experts.way && size.draws.neighbours > 0)
    add_neighbours(near_rows(rows, which, *experts.neighbours, pool), *experts.neighbours, *experts.way,
                   size.draws.neighbours, pool, result);
  for (std::size_t t = 0; t < experts.boosted.size(); ++t)
    add_boosted(rows, which, experts.boosted[t], pool, result[t]);
  return result;
}

double training_crps(const train::TrainingRows& rows, std::span<const rows::RowNumber> training,
                     const calibrate::HeldOut& held_out, std::size_t target, std::size_t targets) {
  std::vector<std::pair<double, double>> weighted;
  weighted.reserve(training.size());
  for (const rows::RowNumber row : training)
    weighted.emplace_back(rows.observed[row * targets + target], static_cast<double>(rows.weights[row]));
  const Distribution distribution(std::move(weighted));
  double sum = 0, weight = 0;
  for (std::size_t row = 0; row < held_out.rows; ++row) {
    sum += held_out.weight[row] * distribution.crps(held_out.truth[row]);
    weight += held_out.weight[row];
  }
  return weight > 0 ? std::max(0.0, sum / weight) : 0;
}

}  // namespace mirrorball::model
