// Scores of draws from any source, row by row.
#include "mirrorball/score.h"

#include <array>
#include <atomic>

#include "mirrorball/law.h"
#include "rows.h"
#include "score/calibration_json.h"

namespace mirrorball::binding {
namespace {

/// Sizes come checked from Python; this keeps a slip there from reading beyond the end.
void check_rows(const Predictive& draws, std::size_t values, std::size_t wanted) {
  if (values != wanted)
    throw std::invalid_argument(std::to_string(values) + " values given, the draws of " +
                                std::to_string(draws.rows()) + " rows need " + std::to_string(wanted));
}

/// rows x (jsd, hellinger, wasserstein, energy) from what `distances` says about each row.
template <class Each>
void row_distances(const Predictive& draws, unsigned threads, Out out, const Each& distances) {
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    const Distances d = distances(row);
    std::ranges::copy(std::array{d.jsd, d.hellinger, d.wasserstein, d.energy}, out + 4 * row);
  });
}

Json mean_median(const MeanMedian& values) { return {{"mean", values.mean}, {"median", values.median}}; }

Json target_summary(const TargetScores& scores) {
  Json nll = mean_median(scores.nll);
  if (scores.nll_floored > 0) nll["floored"] = scores.nll_floored;
  Json intervals = Json::array();
  for (const IntervalScore& one : scores.intervals)
    intervals.push_back({one.level, {{"coverage", one.coverage}, {"mass", one.mass}, {"width", one.width}}});
  return {{"mae", scores.mae},
          {"rmse", scores.rmse},
          {"crps", mean_median(scores.crps)},
          {"nll", nll},
          {"interval", intervals},
          {"qice", scores.qice},
          {"pit", scores.pit},
          {"calibration", scoring::calibration_json(scores.calibration, true)}};
}

}  // namespace

/// y and out: rows x targets
MIRRORBALL_BORDER Failure* mirrorball_pit(const Predictive* draws, In y, std::size_t values, unsigned threads,
                                          Out out) {
  return guarded([&] {
    const std::size_t targets = draws->targets();
    check_rows(*draws, values, draws->rows() * targets);
    for_rows(draws->rows(), threads, [&](std::size_t row) {
      for (std::size_t t = 0; t < targets; ++t)
        out[row * targets + t] = pit(draws->row_samples(row, t), y[row * targets + t]);
    });
  });
}

/// Each target by itself: rows x targets; or all together: rows x 1. Also how many needed a floor.
MIRRORBALL_BORDER Failure* mirrorball_kde_nll(const Predictive* draws, In y, std::size_t values, int joint,
                                              unsigned threads, Out out, std::size_t* floored) {
  return guarded([&] {
    const std::size_t targets = draws->targets(), columns = joint ? 1 : targets;
    check_rows(*draws, values, draws->rows() * targets);
    std::atomic<std::size_t> count{0};
    for_rows(draws->rows(), threads, [&](std::size_t row) {
      const std::span<const double> at(y + row * targets, targets);
      for (std::size_t k = 0; k < columns; ++k) {
        bool floor = false;
        out[row * columns + k] = joint ? kde_nll(draws->joint_samples(row), at, &floor)
                                       : nll(draws->row_samples(row, k), at[k], draws->atoms(k), &floor);
        count += floor ? 1 : 0;
      }
    });
    *floored = count;
  });
}

MIRRORBALL_BORDER Failure* mirrorball_law_distances(const Predictive* draws, Text name, In x,
                                                    std::size_t values, unsigned threads, Out out) {
  return guarded([&] {
    const Law& law = Law::named(name.view());
    check_rows(*draws, values, draws->rows());
    row_distances(*draws, threads, out,
                  [&](std::size_t row) { return law.distances(x[row], draws->joint_samples(row)); });
  });
}

MIRRORBALL_BORDER Failure* mirrorball_sample_distances(const Predictive* draws, const Predictive* other,
                                                       std::size_t cells, unsigned threads, Out out) {
  return guarded([&] {
    check_rows(*draws, other->rows() * other->targets(), draws->rows() * draws->targets());
    row_distances(*draws, threads, out, [&](std::size_t row) {
      return sample_distances(draws->joint_samples(row), other->joint_samples(row), draws->targets(), cells);
    });
  });
}

/// What `mirrorball score --json` writes; intervals are pairs of level and scores.
MIRRORBALL_BORDER Failure* mirrorball_score_summary(const Predictive* draws, In y, std::size_t values,
                                                    In levels, std::size_t count, unsigned threads,
                                                    std::string** out) {
  return guarded([&] {
    Scorer scorer(draws->target_names(), {levels, levels + count}, threads);
    scorer.add(*draws, {y, values});
    const Scores scores = scorer.finish();
    Json targets = Json::object();
    for (const TargetScores& target : scores.targets) targets[target.name] = target_summary(target);
    give(Json{{"rows", scores.rows},
              {"samples", scores.samples},
              {"targets", targets},
              {"energy_score", mean_median(scores.energy_score)}},
         out);
  });
}

}  // namespace mirrorball::binding
