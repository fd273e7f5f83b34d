// Scores of draws from any source: mirrorball/draw_block.h and the scorer of mirrorball/score.h.
#include "mirrorball/mirrorball.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "draw_arrays.h"

namespace mirrorball::binding {
namespace {

using Values = std::vector<double>;

DrawBlock block_of(const Cube& draws, unsigned threads) {
  return {{draws.data(), draws.size()}, draws.shape(0), draws.shape(1), draws.shape(2), threads};
}

/// The lock is not held while `compute` runs on the block.
template <class Compute>
auto unlocked(const Cube& draws, unsigned threads, const Compute& compute) {
  const nb::gil_scoped_release released;
  return compute(block_of(draws, threads));
}

Array crps(const Cube& draws, const Matrix& observed, bool fair, unsigned threads) {
  Values values =
      unlocked(draws, threads, [&](const DrawBlock& block) { return block.crps(span_of(observed), fair); });
  return array_of(std::move(values), {draws.shape(0), draws.shape(2)});
}

Array energy_score(const Cube& draws, const Matrix& observed, bool fair, unsigned threads) {
  Values values = unlocked(
      draws, threads, [&](const DrawBlock& block) { return block.energy_score(span_of(observed), fair); });
  return array_of(std::move(values), {draws.shape(0)});
}

nb::tuple kde_nll(const Cube& draws, const Matrix& observed, bool joint, unsigned threads) {
  std::size_t floored = 0;
  Values values = unlocked(draws, threads, [&](const DrawBlock& block) {
    return joint ? block.joint_kde_nll(span_of(observed), &floored)
                 : block.kde_nll(span_of(observed), &floored);
  });
  return nb::make_tuple(array_of(std::move(values), {draws.shape(0), joint ? 1 : draws.shape(2)}), floored);
}

Array pit(const Cube& draws, const Matrix& observed, unsigned threads) {
  Values values =
      unlocked(draws, threads, [&](const DrawBlock& block) { return block.pit(span_of(observed)); });
  return array_of(std::move(values), {draws.shape(0), draws.shape(2)});
}

Array quantiles(const Cube& draws, const Vector& levels, unsigned threads) {
  Values values =
      unlocked(draws, threads, [&](const DrawBlock& block) { return block.quantiles(span_of(levels)); });
  return array_of(std::move(values), {draws.shape(0), draws.shape(2), levels.shape(0)});
}

Array log_density(const Cube& draws, std::size_t row, const Matrix& points, unsigned threads) {
  Values values = unlocked(draws, threads,
                           [&](const DrawBlock& block) { return block.log_density(row, span_of(points)); });
  return array_of(std::move(values), {points.shape(0)});
}

Array distance_array(const std::vector<Distances>& rows) {
  Values values;
  for (const Distances& d : rows) values.insert(values.end(), {d.jsd, d.hellinger, d.wasserstein, d.energy});
  return array_of(std::move(values), {rows.size(), 4});
}

Array law_distances(const std::string& name, const Vector& x, const Cube& draws, unsigned threads) {
  return distance_array(unlocked(
      draws, threads, [&](const DrawBlock& block) { return block.distances(Law::named(name), span_of(x)); }));
}

Array sample_distances(const Cube& draws, const Cube& other, std::size_t cells, unsigned threads) {
  return distance_array(unlocked(draws, threads, [&](const DrawBlock& block) {
    return block.distances(block_of(other, threads), cells);
  }));
}

nb::dict mean_median(const MeanMedian& values) {
  nb::dict out;
  out["mean"] = values.mean;
  out["median"] = values.median;
  return out;
}

nb::dict target_summary(const TargetScores& scores) {
  nb::dict nll = mean_median(scores.nll);
  if (scores.nll_floored > 0) nll["floored"] = scores.nll_floored;
  nb::dict interval;
  for (const IntervalScore& one : scores.intervals) {
    nb::dict at;
    at["coverage"] = one.coverage;
    at["width"] = one.width;
    interval[nb::float_(one.level)] = at;
  }
  nb::dict out;
  out["mae"] = scores.mae;
  out["rmse"] = scores.rmse;
  out["crps"] = mean_median(scores.crps);
  out["nll"] = nll;
  out["interval"] = interval;
  out["qice"] = scores.qice;
  out["pit"] = Values(scores.pit.begin(), scores.pit.end());
  return out;
}

/// What `mirrorball score --json` writes; levels of intervals are numbers.
nb::dict score_summary(const Cube& draws, const Matrix& observed, std::vector<std::string> targets,
                       std::vector<double> levels, unsigned threads) {
  Scores scores;
  {
    const nb::gil_scoped_release released;
    const std::size_t rows = draws.shape(0), samples = draws.shape(1), count = draws.shape(2);
    Predictive forecast(rows, samples, targets);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < std::min(count, targets.size()); ++k)
        for (std::size_t i = 0; i < samples; ++i)
          forecast.draws(row, k)[i] = draws.data()[(row * samples + i) * count + k];
    Scorer scorer(std::move(targets), std::move(levels), threads);
    scorer.add(forecast, span_of(observed));
    scores = scorer.finish();
  }
  nb::dict out;
  out["rows"] = scores.rows;
  out["samples"] = scores.samples;
  nb::dict targets_out;
  for (const TargetScores& target : scores.targets)
    targets_out[nb::str(target.name.c_str())] = target_summary(target);
  out["targets"] = targets_out;
  out["energy_score"] = mean_median(scores.energy_score);
  return out;
}

}  // namespace

void bind_scores(nb::module_& m) {
  m.def("crps", &crps, nb::arg("draws"), nb::arg("observed"), nb::arg("fair"), nb::arg("threads"));
  m.def("energy_score", &energy_score, nb::arg("draws"), nb::arg("observed"), nb::arg("fair"),
        nb::arg("threads"));
  m.def("kde_nll", &kde_nll, nb::arg("draws"), nb::arg("observed"), nb::arg("joint"), nb::arg("threads"));
  m.def("pit", &pit, nb::arg("draws"), nb::arg("observed"), nb::arg("threads"));
  m.def("quantiles", &quantiles, nb::arg("draws"), nb::arg("levels"), nb::arg("threads"));
  m.def("log_density", &log_density, nb::arg("draws"), nb::arg("row"), nb::arg("points"), nb::arg("threads"));
  m.def("law_distances", &law_distances, nb::arg("law"), nb::arg("x"), nb::arg("draws"), nb::arg("threads"));
  m.def("sample_distances", &sample_distances, nb::arg("draws"), nb::arg("other"), nb::arg("cells"),
        nb::arg("threads"));
  m.def("score_summary", &score_summary, nb::arg("draws"), nb::arg("observed"), nb::arg("targets"),
        nb::arg("levels"), nb::arg("threads"));
}

}  // namespace mirrorball::binding
