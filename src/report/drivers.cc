#include "report/drivers.h"

#include <algorithm>
#include <cmath>

#include "explain/composites.h"
#include "explain/shapley.h"
#include "model/draw_rows.h"
#include "report/rows.h"

namespace mirrorball {
namespace {

/// Forecasts made for one report, 200 draws each: some 20 seconds of two cores.
constexpr std::size_t kMostForecasts = 250'000, kLeastRows = 10;
/// Sets of features where not all can be asked for.
constexpr std::size_t kSets = 512;
constexpr std::size_t kBlockRows = 2048;

std::size_t most_sets(std::size_t features) { return 2 * features + kSets; }

std::size_t affordable_rows(std::size_t features, std::size_t background, std::size_t wish) {
  const std::size_t sets = features <= kExactPlayers ? std::size_t{1} << features : most_sets(features);
  return std::min(wish, std::max(kLeastRows, kMostForecasts / (sets * background)));
}

EncodedRows encode_chosen(const Model::Parts& parts, const Table& table,
                          const std::vector<std::size_t>& rows) {
  EncodedRows encoded(rows.size(), parts.encoder.number_columns(), parts.encoder.code_columns());
  const Encoder::Bound bound = parts.encoder.bind(table);
  for (std::size_t i = 0; i < rows.size(); ++i) bound.encode(rows[i], rows[i] + 1, encoded, i);
  return encoded;
}

/// Mean and standard deviation of every target, for every row drawn so far: one set of draws answers all of
/// them.
class Answers {
 public:
  Answers(const Model::Parts& parts, const PredictOptions& options, ThreadPool& pool)
      : parts_(parts), options_(options), pool_(pool) {}

  std::size_t kinds() const { return 2 * parts_.targets.size(); }
  double of(std::size_t row, std::size_t kind) const { return values_[row * kinds() + kind]; }

  void add(const EncodedRows& rows) {
    if (rows.rows == 0) return;
    const Predictive draws = draw_rows(parts_, rows, options_, pool_);
    const std::size_t before = values_.size();
    values_.resize(before + rows.rows * kinds());
    pool_.run(rows.rows, [&](std::size_t row, unsigned) {
      for (std::size_t t = 0; t < draws.targets(); ++t) {
        values_[before + row * kinds() + 2 * t] = draws.mean(row, t);
        values_[before + row * kinds() + 2 * t + 1] = draws.sd(row, t);
      }
    });
  }

 private:
  const Model::Parts& parts_;
  const PredictOptions& options_;
  ThreadPool& pool_;
  std::vector<double> values_;  ///< rows x kinds
};

/// Shapley values of one row, kinds x features.
std::vector<double> explain_row(const Model::Parts& parts, const EncodedRows& inputs, std::size_t row,
                                const EncodedRows& background, const PredictOptions& options,
                                ThreadPool& pool, Drivers& to) {
  Composites composites(parts.encoder.features(), inputs, row, background);
  const std::size_t players = composites.varying().size();
  const Coalitions sets = choose_coalitions(players, most_sets(players), options.seed);
  Answers answers(parts, options, pool);
  std::vector<std::size_t> number(sets.size() * background.rows);
  for (std::size_t i = 0; i < number.size(); ++i) {
    number[i] = composites.number(sets[i / background.rows], i % background.rows);
    if (composites.waiting() >= kBlockRows) answers.add(composites.take_new());
  }
  answers.add(composites.take_new());
  std::vector<double> result(answers.kinds() * to.features, 0.0), worth(sets.size());
  for (std::size_t kind = 0; kind < answers.kinds(); ++kind) {
    std::fill(worth.begin(), worth.end(), 0.0);
    for (std::size_t i = 0; i < number.size(); ++i)
      worth[i / background.rows] += answers.of(number[i], kind) / static_cast<double>(background.rows);
    const std::vector<double> values = shapley_values(sets, worth);
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
  const Model::Parts& parts = model.parts();
  const std::vector<Feature>& features = parts.encoder.features();
  Drivers result;
  result.features = features.size();
  const std::vector<std::size_t> others =
      sampled_rows(table.rows(), options.background, options.draws.seed, 1);
  const std::vector<std::size_t> rows = sampled_rows(
      table.rows(), affordable_rows(features.size(), others.size(), options.rows), options.draws.seed, 2);
  const EncodedRows inputs = encode_chosen(parts, table, rows),
                    background = encode_chosen(parts, table, others);
  ThreadPool pool(options.draws.threads);
  std::vector<EffectSum> sums(2 * parts.targets.size() * features.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> values = explain_row(parts, inputs, i, background, options.draws, pool, result);
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

}  // namespace mirrorball
