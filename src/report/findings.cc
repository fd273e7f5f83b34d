#include "report/findings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kPicked = 4;  ///< best and worst rows of a target
constexpr std::size_t kWeakSpots = 8;
constexpr double kCollapsed = 1e-3;     ///< of the width of the training rows' central 90%
constexpr std::size_t kMostFans = 120;  ///< features times targets: a page must not grow without end
/// Rows shown as dots, by the number of features.
constexpr std::size_t kDotCells = 40'000, kMostDots = 800;
/// Shares of the work, for the bar.
constexpr double kForecastShare = 0.35, kDriverShare = 0.6;

/// Rows whose forecast is practically one number.
void find_collapsed(const Forecasts& all, std::size_t t, const TrainingColumn& training,
                    TargetFindings& target) {
  const double narrow = kCollapsed * (training.quantile(0.95) - training.quantile(0.05));
  std::size_t inside = 0;
  for (std::size_t row = 0; row < all.rows; ++row) {
    const RowForecast& one = all.at(row, t);
    if (one.high - one.low >= narrow) continue;
    ++target.collapsed;
    inside += all.scored() && one.low <= all.outcome(row, t) && all.outcome(row, t) <= one.high;
  }
  if (target.collapsed > 0)
    target.collapsed_coverage = static_cast<double>(inside) / static_cast<double>(target.collapsed);
}

/// What needs outcomes.
void judge(const Findings& found, std::size_t t, const TrainingColumn& training, TargetFindings& target) {
  const Forecasts& all = found.forecasts;
  std::vector<double> outcomes(all.rows);
  for (std::size_t row = 0; row < all.rows; ++row) outcomes[row] = all.outcome(row, t);
  const double n = static_cast<double>(all.rows),
               mean = std::accumulate(outcomes.begin(), outcomes.end(), 0.0) / n;
  double variance = 0;
  for (double y : outcomes) {
    variance += (y - mean) * (y - mean) / n;
    target.outside += training.outside(y);
  }
  const TargetScores& scores = all.scores.targets[t];
  target.quantiles = training_quantiles(training, outcomes, report_coverages());
  target.mean = training_mean(training, outcomes);
  target.skill = skill(scores.crps.mean, target.quantiles.crps);
  target.explained = skill(scores.rmse * scores.rmse, variance);
  target.reliable = reliability(all, t);
  target.weak = weak_spots(all, t, found.data.table, found.schema().features, kWeakSpots);
}

TargetFindings find_target(const Findings& found, std::size_t t, const PredictOptions& shown) {
  const TrainingColumn training(found.schema().targets[t]);
  TargetFindings target;
  find_collapsed(found.forecasts, t, training, target);
  if (found.scored()) judge(found, t, training, target);
  const std::vector<std::size_t> order = best_first(found.forecasts, t);
  const auto count = static_cast<std::ptrdiff_t>(std::min(kPicked, order.size() / 2));
  target.best = shown_rows(found.model, found.data.table, {order.begin(), order.begin() + count}, shown);
  target.worst = shown_rows(found.model, found.data.table, {order.rbegin(), order.rbegin() + count}, shown);
  return target;
}

/// All features, or the most important ones where the page would grow too large.
std::vector<std::size_t> features_to_draw(const Findings& found) {
  const std::size_t features = found.data.drift.size(), targets = found.model.targets().size();
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (features * targets <= kMostFans) return order;
  const auto weight = [&](std::size_t f) {
    double sum = 0;
    for (std::size_t t = 0; t < targets && !found.drivers.mean.empty(); ++t) {
      const TrainingColumn training(found.schema().targets[t]);
      if (training.sd() > 0) sum += found.drivers.of_mean(t, f).size / training.sd();
    }
    return sum;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  order.resize(std::max<std::size_t>(1, kMostFans / targets));
  std::sort(order.begin(), order.end());
  return order;
}

Drivers find_drivers(const Findings& found, const ReportOptions& options) {
  if (options.explained == 0) return {};
  DriverOptions ask;
  ask.rows = options.explained;
  ask.draws.seed = options.seed;
  ask.draws.threads = options.threads;
  ask.progress = [&](double share) {
    if (options.progress) options.progress(kForecastShare + kDriverShare * share, "explaining");
  };
  return drivers(found.model, found.data.table, ask);
}

/// What a target's CRPS or spread is measured by where targets are added up.
std::vector<double> target_scales(const Findings& found) {
  std::vector<double> scales;
  for (std::size_t t = 0; t < found.targets.size(); ++t)
    scales.push_back(found.scored() ? found.targets[t].quantiles.crps
                                    : TrainingColumn(found.schema().targets[t]).sd());
  return scales;
}

}  // namespace

Findings find(const Model& model, DataPass& data, const ReportOptions& options) {
  Findings found(model);
  found.data = data.finish();
  const PredictOptions draws{options.samples, options.seed, options.threads},
      shown{kShownDraws, options.seed, options.threads};
  found.forecasts = forecast_all(
      model, found.data.table,
      found.data.missing_targets.empty() ? model.observed(found.data.table) : std::vector<double>(), draws,
      [&](double share) {
        if (options.progress) options.progress(kForecastShare * share, "predicting");
      });
  for (std::size_t t = 0; t < model.targets().size(); ++t)
    found.targets.push_back(find_target(found, t, shown));
  found.drivers = find_drivers(found, options);
  found.fan_features = features_to_draw(found);
  found.fans = fans(model, found.fan_features, found.data.table, found.forecasts, draws);
  found.dots = picked_rows(found.data.table.rows(),
                           std::min(kMostDots, kDotCells / std::max<std::size_t>(1, found.data.drift.size())),
                           options.seed, Pick::kDots);
  if (found.targets.size() > 1)
    found.joint = joint_rows(model, found.data.table, found.forecasts, target_scales(found), shown);
  return found;
}

}  // namespace mirrorball::report
