#include "report/drivers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "explain/cells.h"
#include "explain/row_explainer.h"
#include "model/row_sampler.h"
#include "predictive/block_rows.h"
#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

/// Forecasts made for one report, 200 samples each: some 20 seconds of two cores.
constexpr std::size_t kMostForecasts = 250'000;
constexpr std::size_t kLeastRows = 10, kLeastBackground = 16;

/// As many background rows as can be afforded for all rows, then as many rows.
struct Work {
  std::size_t rows, background;

  Work(std::size_t features, std::size_t table_rows, const DriverOptions& options)
      : rows(std::min(options.rows, table_rows)), background(std::min(options.background, table_rows)) {
    ExplainOptions ask;
    ask.background_rows = background;
    const std::size_t sets = shap::explain_cost(features, table_rows, ask).coalitions;
    background = std::min(background, std::max(kLeastBackground, kMostForecasts / (sets * rows)));
    rows = std::min(rows, std::max(kLeastRows, kMostForecasts / (sets * background)));
  }
};

/// Mean and standard deviation of every target: one set of samples answers all of them.
void answer(const Predictive& forecast, ThreadPool& pool, double* out) {
  pool.run(forecast.rows(), [&](std::size_t row, unsigned) {
    double* const own = out + row * 2 * forecast.targets();
    for (std::size_t t = 0; t < forecast.targets(); ++t) {
      own[2 * t] = forecast.mean(row, t);
      own[2 * t + 1] = forecast.sd(row, t);
    }
  });
}

/// How much larger the size of a value with this error is than that of the true one, on average, if the true
/// one is `value`: the mean of a folded normal less |value|.
double excess(double value, double error) {
  if (!(error > 0)) return 0;
  const double ratio = std::fabs(value) / error;
  return error * std::sqrt(2 / std::numbers::pi) * std::exp(-ratio * ratio / 2) -
         std::fabs(value) * std::erfc(ratio / std::numbers::sqrt2);
}

/// Running sums of |s|, s, s², x, x² and x s, and of the excess of |s|.
struct EffectSum {
  double n = 0, size = 0, s = 0, ss = 0, x = 0, xx = 0, xs = 0, over = 0;

  void add(double shapley, double error, double value) {
    n += 1;
    size += std::fabs(shapley);
    s += shapley;
    ss += shapley * shapley;
    x += value;
    xx += value * value;
    xs += value * shapley;
    over += excess(shapley, error);
  }
  Drivers::Effect effect(bool number) const {
    const double vs = ss - s * s / n, vx = xx - x * x / n;
    const bool both = number && vs > 1e-12 * ss && vx > 1e-12 * xx;
    const double rows = std::max(ss - size * size / n, 0.0) / std::max(n - 1, 1.0) / n;
    return {size / n, std::hypot(std::sqrt(rows), over / n),
            both ? (xs - x * s / n) / std::sqrt(vs * vx) : 0.0};
  }
};

/// The explained rows and what they are compared with.
class DriverSearch {
 public:
  DriverSearch(const Model& model, const Table& table, const DriverOptions& options, ThreadPool& pool)
      : pool_(pool),
        sampler_(model, options.predict, pool),
        features_(sampler_.features()),
        kinds_(2 * model.targets().size()),
        work_(features_.size(), table.rows(), options),
        explained_(picked_rows(table.rows(), work_.rows, options.predict.seed, Pick::kExplained)),
        inputs_(sampler_.encode(table, explained_)),
        background_(table, work_.background, options.predict, sampler_),
        plan_{work_.background, 0, predictive::block_rows(options.predict.samples, model.targets().size()),
              options.predict.seed},
        sums_(kinds_ * features_.size()) {
    at_background_.resize(background_.rows().size() * kinds_);
    background_.visit(sampler_, [&](const Predictive& forecast, std::size_t first) {
      answer(forecast, pool_, at_background_.data() + first * kinds_);
    });
  }

  std::size_t rows() const { return inputs_.rows; }

  void explain(std::size_t row, Drivers& to) {
    shap::Asked asked{kinds_, std::vector<double>(kinds_), at_background_};
    answer(sampler_.sample(shap::some_rows(inputs_, row, 1)), pool_, asked.at_x.data());
    shap::RowExplainer explainer(features_, inputs_, row, background_.rows(), std::move(asked), plan_);
    explainer.refine(plan_.rows, [&](const rows::EncodedRows& made, double* out) {
      answer(sampler_.sample(made), pool_, out);
    });
    const std::span<const float> numbers = inputs_.numbers_of(row);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const shap::Estimate found = explainer.estimate(kind);
      to.values.insert(to.values.end(), found.values.begin(), found.values.end());
      for (std::size_t f = 0; f < features_.size(); ++f) {
        const std::ptrdiff_t column = features_[f].place.number;
        sums_[kind * features_.size() + f].add(found.values[f], found.errors[f],
                                               column < 0 ? 0.0 : numbers[static_cast<std::size_t>(column)]);
      }
    }
    to.sets = std::max(to.sets, explainer.most_sets());
    to.exact = to.exact && explainer.all_sets();
  }

  void finish(Drivers& to) const {
    to.features = features_.size();
    to.rows = rows();
    to.explained = explained_;
    to.background = work_.background;
    for (std::size_t at = 0; at < sums_.size(); ++at) {
      const bool of_mean = at / features_.size() % 2 == 0;
      (of_mean ? to.mean : to.spread)
          .push_back(sums_[at].effect(features_[at % features_.size()].type == ColumnType::kNumber));
    }
  }

 private:
  ThreadPool& pool_;
  model::RowSampler sampler_;
  const std::vector<encode::Feature>& features_;
  std::size_t kinds_;
  Work work_;
  std::vector<std::size_t> explained_;
  rows::EncodedRows inputs_;
  shap::Background background_;
  shap::RowPlan plan_;
  std::vector<EffectSum> sums_;
  std::vector<double> at_background_;
};

}  // namespace

Drivers drivers(const Model& model, const Table& table, const DriverOptions& options) {
  ThreadPool pool(options.predict.threads);
  DriverSearch search(model, table, options, pool);
  Drivers result;
  for (std::size_t i = 0; i < search.rows(); ++i) {
    search.explain(i, result);
    if (options.progress) options.progress(static_cast<double>(i + 1) / static_cast<double>(search.rows()));
  }
  search.finish(result);
  return result;
}

}  // namespace mirrorball::report
