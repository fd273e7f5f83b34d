#include "report/drivers.h"

#include <algorithm>
#include <cmath>

#include "explain/set_values.h"
#include "model/row_sampler.h"
#include "predictive/block_rows.h"
#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

/// Forecasts made for one report, 200 draws each: some 20 seconds of two cores.
constexpr std::size_t kMostForecasts = 250'000, kLeastRows = 10;
/// Sets of features where not all can be asked for.
constexpr std::size_t kSets = 512;

std::size_t most_sets(std::size_t features) { return 2 * features + kSets; }

std::size_t affordable_rows(std::size_t features, std::size_t background, std::size_t wish) {
  const std::size_t sets = features <= shap::kExactPlayers ? std::size_t{1} << features : most_sets(features);
  return std::min(wish, std::max(kLeastRows, kMostForecasts / (sets * background)));
}

/// Mean and standard deviation of every target: one set of draws answers all of them.
void answer(const model::RowSampler& sampler, const rows::EncodedRows& rows, ThreadPool& pool, double* out) {
  const Predictive draws = sampler.sample(rows);
  pool.run(rows.rows, [&](std::size_t row, unsigned) {
    double* const own = out + row * 2 * draws.targets();
    for (std::size_t t = 0; t < draws.targets(); ++t) {
      own[2 * t] = draws.mean(row, t);
      own[2 * t + 1] = draws.sd(row, t);
    }
  });
}

/// Shapley values of one row, kinds x features.
std::vector<double> explain_row(const model::RowSampler& sampler, const rows::EncodedRows& inputs,
                                std::size_t row, const rows::EncodedRows& background, std::size_t targets,
                                const PredictOptions& options, ThreadPool& pool, Drivers& to) {
  shap::Composites composites(sampler.features(), inputs, row, background);
  const std::size_t players = composites.varying().size();
  const shap::Coalitions sets = shap::choose_coalitions(players, most_sets(players), options.seed);
  shap::Answers answers{
      .kinds = 2 * targets, .values = {}, .ask = [&](const rows::EncodedRows& rows, double* out) {
        answer(sampler, rows, pool, out);
      }};
  const std::vector<double> worth = shap::set_values(
      sets, background.rows, predictive::block_rows(options.samples, targets), composites, answers);
  std::vector<double> result(answers.kinds * to.features, 0.0);
  for (std::size_t kind = 0; kind < answers.kinds; ++kind) {
    const std::vector<double> values =
        shap::shapley_values(sets, std::span(worth).subspan(kind * sets.size(), sets.size()));
    for (std::size_t k = 0; k < players; ++k)
      result[kind * to.features + composites.varying()[k]] = values[k];
  }
  to.sets = std::max(to.sets, sets.size());
  to.exact = to.exact && sets.exact;
  return result;
}

/// Running sums of |s|, s, s², x, x² and x s.
struct EffectSum {
  double n = 0, size = 0, s = 0, ss = 0, x = 0, xx = 0, xs = 0;

  void add(double shapley, double value) {
    n += 1;
    size += std::fabs(shapley);
    s += shapley;
    ss += shapley * shapley;
    x += value;
    xx += value * value;
    xs += value * shapley;
  }
  Drivers::Effect effect(bool number) const {
    const double vs = ss - s * s / n, vx = xx - x * x / n;
    const bool both = number && vs > 1e-12 * ss && vx > 1e-12 * xx;
    return {size / n, both ? (xs - x * s / n) / std::sqrt(vs * vx) : 0.0};
  }
};

}  // namespace

Drivers drivers(const Model& model, const Table& table, const DriverOptions& options) {
  ThreadPool pool(options.draws.threads);
  const model::RowSampler sampler(model, options.draws, pool);
  const std::vector<encode::Feature>& features = sampler.features();
  const std::size_t targets = model.targets().size();
  Drivers result;
  result.features = features.size();
  const std::vector<std::size_t> others =
      picked_rows(table.rows(), options.background, options.draws.seed, Pick::kBackground);
  const std::vector<std::size_t> rows =
      picked_rows(table.rows(), affordable_rows(features.size(), others.size(), options.rows),
                  options.draws.seed, Pick::kExplained);
  const rows::EncodedRows inputs = sampler.encode(table, rows), background = sampler.encode(table, others);
  std::vector<EffectSum> sums(2 * targets * features.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> values =
        explain_row(sampler, inputs, i, background, targets, options.draws, pool, result);
    const float* numbers = inputs.numbers.data() + i * inputs.number_columns;
    for (std::size_t at = 0; at < values.size(); ++at) {
      const std::ptrdiff_t column = features[at % features.size()].place.number;
      sums[at].add(values[at], column < 0 ? 0.0 : numbers[column]);
    }
    if (options.progress) options.progress(static_cast<double>(i + 1) / static_cast<double>(rows.size()));
  }
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const bool number = features[at % features.size()].type == ColumnType::kNumber;
    const bool of_mean = at / features.size() % 2 == 0;
    (of_mean ? result.mean : result.spread).push_back(sums[at].effect(number));
  }
  result.rows = rows.size();
  result.background = others.size();
  return result;
}

}  // namespace mirrorball::report
