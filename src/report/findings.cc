#include "report/findings.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/error.h"
#include "model/row_sampler.h"
#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kPicked = 4;  ///< best and worst rows of a target
constexpr std::size_t kWeakSpots = 8;
constexpr double kCollapsed = 1e-3;     ///< of the width of the training rows' central 90%
constexpr std::size_t kMostFans = 120;  ///< features times targets: a page must not grow without end
/// Rows shown as dots, by the number of their cells and of the points of their forecasts.
constexpr std::size_t kDotCells = 40'000, kDotPoints = 32'000, kMostDots = 800;
constexpr std::size_t kShownSlices = 12;  ///< features
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
    inside += all.scored() && one.covers(all.outcome(row, t));
  }
  if (target.collapsed > 0)
    target.collapsed_coverage = static_cast<double>(inside) / static_cast<double>(target.collapsed);
}

/// Encoded as the model sees them: what the references are fitted to.
rows::EncodedRows encoded(const Findings& found, const ReportOptions& options, ThreadPool& pool) {
  const PredictOptions sampling{options.samples, options.seed, options.threads};
  return model::RowSampler(found.model, sampling, pool).encode(found.data.table);
}

void compare_with_references(const rows::EncodedRows& rows, const TrainingColumn& training,
                             const std::vector<double>& outcomes, const ReportOptions& options,
                             ThreadPool& pool, TargetFindings& target) {
  target.references.push_back(training_quantiles(training, outcomes, report_coverages()));
  target.references.push_back(training_mean(training, outcomes));
  if (outcomes.size() >= kFewestFitted && !options.brief) {
    target.references.push_back(linear_reference(rows, outcomes, report_coverages(), pool));
    target.references.push_back(tree_reference(rows, outcomes, report_coverages(), options.seed, pool));
  }
  for (const Reference& one : target.references) {
    target.reference_scores.push_back(
        measure(one.rows, target.references[0].rows, outcomes, options.seed, options.threads));
    target.against.push_back(pair(target.rows, one.rows, options.seed, options.threads));
  }
  target.scores = measure(target.rows, target.references[0].rows, outcomes, options.seed, options.threads);
}

/// The most important features, and those with weak spots, in the schema's order.
void look_at_slices(const Findings& found, std::size_t t, TargetFindings& target) {
  std::vector<std::size_t> order(found.slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!found.drivers.mean.empty())
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return found.drivers.of_mean(t, a).size > found.drivers.of_mean(t, b).size;
    });
  order.resize(std::min(order.size(), kShownSlices));
  for (const WeakSpot& spot : target.weak)
    if (std::find(order.begin(), order.end(), spot.feature) == order.end()) order.push_back(spot.feature);
  target.shown_slices = order;
  for (std::size_t f : order) {
    std::vector<SliceDetails>& own = target.details.emplace_back();
    for (const Slice& slice : found.slices[f].slices) own.push_back(look_closer(found.forecasts, t, slice));
  }
}

/// What needs outcomes.
void judge(const Findings& found, std::size_t t, const rows::EncodedRows& rows,
           const TrainingColumn& training, const ReportOptions& options, ThreadPool& pool,
           TargetFindings& target) {
  const Forecasts& all = found.forecasts;
  std::vector<double> outcomes(all.rows);
  for (std::size_t row = 0; row < all.rows; ++row) outcomes[row] = all.outcome(row, t);
  for (double y : outcomes) target.outside += training.outside(y);
  target.rows = row_errors(all, t);
  compare_with_references(rows, training, outcomes, options, pool, target);
  target.reliable = reliability(all, t);
  target.slices = score_slices(all, t, found.slices);
  target.weak = weak_spots(target.slices, kWeakSpots);
  look_at_slices(found, t, target);
  target.thresholds = thresholds(all, t);
}

/// Dots first, then the worst rows of slices.
void pick_sample(const ReportOptions& options, Findings& found) {
  const std::size_t features = std::max<std::size_t>(1, found.data.drift.size()),
                    points = RowForecast::kPoints * found.targets.size();
  found.sample_rows =
      picked_rows(found.data.table.rows(), std::min({kMostDots, kDotCells / features, kDotPoints / points}),
                  options.seed, Pick::kDots);
  found.dots = found.sample_rows.size();
  std::unordered_set<std::size_t> known(found.sample_rows.begin(), found.sample_rows.end());
  for (const TargetFindings& target : found.targets)
    for (const std::vector<SliceDetails>& feature : target.details)
      for (const SliceDetails& slice : feature)
        for (std::size_t row : slice.worst)
          if (known.insert(row).second) found.sample_rows.push_back(row);
}

void pick_rows(const Findings& found, std::size_t t, const RowSpace& space, const PredictOptions& shown,
               TargetFindings& target) {
  const TrainingColumn training(found.schema().targets[t]);
  const double spread = training.quantile(0.95) - training.quantile(0.05);
  std::vector<std::size_t> order = best_first(found.forecasts, t);
  const std::size_t count = std::min(kPicked, order.size() / 2);
  target.best = shown_rows(found.model, found.data.table,
                           different_rows(order, count, space, found.forecasts, t, spread), shown);
  std::reverse(order.begin(), order.end());
  target.worst = shown_rows(found.model, found.data.table,
                            different_rows(order, count, space, found.forecasts, t, spread), shown);
}

/// How much each feature moves the forecasts, over all targets; nothing where that was not asked for.
std::vector<double> importances(const Findings& found) {
  std::vector<double> weights(found.schema().features.size(), 0.0);
  for (std::size_t f = 0; f < weights.size() && !found.drivers.mean.empty(); ++f)
    for (std::size_t t = 0; t < found.model.targets().size(); ++t) {
      const TrainingColumn training(found.schema().targets[t]);
      if (training.sd() > 0) weights[f] += found.drivers.of_mean(t, f).size / training.sd();
    }
  return weights;
}

/// All features, or the most important ones where the page would grow too large.
std::vector<std::size_t> features_to_draw(const Findings& found) {
  const std::size_t features = found.data.drift.size(), targets = found.model.targets().size();
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (features * targets <= kMostFans) return order;
  const std::vector<double> weights = importances(found);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  order.resize(std::max<std::size_t>(1, kMostFans / targets));
  std::sort(order.begin(), order.end());
  return order;
}

Drivers find_drivers(const Findings& found, const ReportOptions& options) {
  if (options.explained == 0 || options.brief) return {};
  DriverOptions ask;
  ask.rows = options.explained;
  ask.predict.seed = options.seed;
  ask.predict.threads = options.threads;
  ask.progress = [&](double share) {
    if (options.progress) options.progress(kForecastShare + kDriverShare * share, "explaining");
  };
  return drivers(found.model, found.data.table, ask);
}

/// What a target's CRPS or spread is measured by where targets are added up.
std::vector<double> target_scales(const Findings& found) {
  std::vector<double> scales;
  for (std::size_t t = 0; t < found.targets.size(); ++t)
    scales.push_back(found.scored() ? found.targets[t].references[0].crps
                                    : TrainingColumn(found.schema().targets[t]).sd());
  return scales;
}

void compare_models(const Model& other, const ReportOptions& options, Findings& found) {
  OtherModel& second = found.other.emplace(other);
  second.forecasts = forecast_all(other, found.data.table, found.forecasts.observed,
                                  {options.samples, options.seed, options.threads}, {});
  for (std::size_t t = 0; t < found.targets.size(); ++t) {
    const TargetFindings& first = found.targets[t];
    const RowErrors rows = row_errors(second.forecasts, t);
    std::vector<double> outcomes(found.forecasts.rows);
    for (std::size_t row = 0; row < outcomes.size(); ++row) outcomes[row] = found.forecasts.outcome(row, t);
    second.targets.push_back(
        {measure(rows, first.references[0].rows, outcomes, options.seed, options.threads),
         pair(first.rows, rows, options.seed, options.threads), pair_slices(first.rows, rows, found.slices)});
  }
}

void find_targets(const ReportOptions& options, const RowSpace& space, Findings& found) {
  ThreadPool pool(options.threads);
  const rows::EncodedRows rows = found.scored() ? encoded(found, options, pool) : rows::EncodedRows();
  for (std::size_t t = 0; t < found.model.targets().size(); ++t) {
    const TrainingColumn training(found.schema().targets[t]);
    TargetFindings& target = found.targets.emplace_back();
    find_collapsed(found.forecasts, t, training, target);
    target.disagreement = disagreement(found.forecasts, t);
    if (found.scored()) judge(found, t, rows, training, options, pool, target);
    if (!options.brief) pick_rows(found, t, space, {options.samples, options.seed, options.threads}, target);
  }
}

}  // namespace

Findings find(const Model& model, const Model* other, DataPass& data, const ReportOptions& options) {
  Findings found(model);
  found.data = data.finish();
  const PredictOptions sampling{options.samples, options.seed, options.threads};
  found.forecasts = forecast_all(
      model, found.data.table,
      found.data.missing_targets.empty() ? model.observed(found.data.table) : std::vector<double>(), sampling,
      [&](double share) {
        if (options.progress) options.progress(kForecastShare * share, "predicting");
      });
  if (other && !found.scored())
    bad_input("{} has no outcomes: two models can be compared only where the targets are known",
              options.data_name);
  found.drivers = find_drivers(found, options);
  const RowSpace space(found.data.table, found.schema().features, importances(found));
  found.base_row = space.most_typical();
  found.slices = slice_rows(found.data.table, found.schema().features);
  find_targets(options, space, found);
  if (other) compare_models(*other, options, found);
  if (options.brief) return found;
  found.fan_features = features_to_draw(found);
  found.fans =
      fans(model, found.fan_features, found.data.table, space, found.base_row, found.forecasts, sampling);
  pick_sample(options, found);
  if (found.targets.size() > 1)
    found.joint = joint_rows(model, found.data.table, found.forecasts, target_scales(found),
                             {kJointDraws, options.seed, options.threads});
  return found;
}

}  // namespace mirrorball::report
