// Scores of draws from any source, row by row.
#include "mirrorball/score.h"

#include <array>
#include <atomic>

#include "mirrorball/law.h"
#include "rows.h"

namespace mirrorball::binding {
namespace {

/// Sizes come checked from Python; this keeps a slip there from reading beyond the end.
void check_rows(const Predictive& draws, std::size_t values, std::size_t wanted) {
  if (values != wanted)
    throw std::invalid_argument(std::to_string(values) + " values given, the draws of " +
                                std::to_string(draws.rows()) + " rows need " + std::to_string(wanted));
}

Array row_pit(const Predictive& draws, const In<2>& y, unsigned threads) {
  const std::size_t targets = draws.targets();
  check_rows(draws, y.size(), draws.rows() * targets);
  std::vector<double> out(y.size());
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    for (std::size_t t = 0; t < targets; ++t)
      out[row * targets + t] = pit(draws.draws(row, t), y.data()[row * targets + t]);
  });
  return array_of(std::move(out), {draws.rows(), targets});
}

/// Each target by itself: rows x targets; or all together: rows x 1. Also how many needed a floor.
nb::tuple row_nll(const Predictive& draws, const In<2>& y, bool joint, unsigned threads) {
  const std::size_t targets = draws.targets(), columns = joint ? 1 : targets;
  check_rows(draws, y.size(), draws.rows() * targets);
  std::vector<double> out(draws.rows() * columns);
  std::atomic<std::size_t> floored{0};
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    const std::span<const double> at = span_of(y).subspan(row * targets, targets);
    for (std::size_t k = 0; k < columns; ++k) {
      bool floor = false;
      out[row * columns + k] = joint ? kde_nll(draws.joint_draws(row), at, &floor)
                                     : kde_nll(draws.draws(row, k), at.subspan(k, 1), &floor);
      floored += floor ? 1 : 0;
    }
  });
  return nb::make_tuple(array_of(std::move(out), {draws.rows(), columns}), floored.load());
}

/// rows x (jsd, hellinger, wasserstein, energy) from what `distances` says about each row.
template <class Each>
Array row_distances(const Predictive& draws, unsigned threads, const Each& distances) {
  std::vector<double> out(4 * draws.rows());
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    const Distances d = distances(row);
    std::ranges::copy(std::array{d.jsd, d.hellinger, d.wasserstein, d.energy}, out.data() + 4 * row);
  });
  return array_of(std::move(out), {draws.rows(), 4});
}

Array law_distances(const Predictive& draws, const std::string& name, const In<1>& x, unsigned threads) {
  const Law& law = Law::named(name);
  check_rows(draws, x.size(), draws.rows());
  return row_distances(draws, threads,
                       [&](std::size_t row) { return law.distances(x.data()[row], draws.joint_draws(row)); });
}

Array other_distances(const Predictive& draws, const Predictive& other, std::size_t cells, unsigned threads) {
  check_rows(draws, other.rows() * other.targets(), draws.rows() * draws.targets());
  return row_distances(draws, threads, [&](std::size_t row) {
    return sample_distances(draws.joint_draws(row), other.joint_draws(row), draws.targets(), cells);
  });
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
  out["pit"] = std::vector<double>(scores.pit.begin(), scores.pit.end());
  return out;
}

/// What `mirrorball score --json` writes; levels of intervals are numbers.
nb::dict summary(const Predictive& draws, const In<2>& y, const std::vector<double>& levels,
                 unsigned threads) {
  Scores scores;
  {
    const nb::gil_scoped_release unlocked;
    Scorer scorer(draws.target_names(), levels, threads);
    scorer.add(draws, span_of(y));
    scores = scorer.finish();
  }
  nb::dict targets, out;
  for (const TargetScores& target : scores.targets)
    targets[nb::str(target.name.c_str())] = target_summary(target);
  out["rows"] = scores.rows;
  out["samples"] = scores.samples;
  out["targets"] = targets;
  out["energy_score"] = mean_median(scores.energy_score);
  return out;
}

}  // namespace

void bind_scores(nb::module_& module) {
  module.def("pit", &row_pit, nb::arg("draws"), nb::arg("y"), nb::arg("threads"),
             "Of values y, rows x targets; the same shape.");
  module.def("kde_nll", &row_nll, nb::arg("draws"), nb::arg("y"), nb::arg("joint"), nb::arg("threads"),
             "rows x targets, or rows x 1 for the joint density; and how many had draws without spread.");
  module.def("law_distances", &law_distances, nb::arg("draws"), nb::arg("law"), nb::arg("x"),
             nb::arg("threads"), "rows x (jsd, hellinger, wasserstein, energy) to the law at each row's x.");
  module.def("sample_distances", &other_distances, nb::arg("draws"), nb::arg("other"), nb::arg("cells"),
             nb::arg("threads"), "rows x (jsd, hellinger, wasserstein, energy) between two sets of draws.");
  module.def("score_summary", &summary, nb::arg("draws"), nb::arg("y"), nb::arg("levels"), nb::arg("threads"),
             "All scores, as a dict.");
}

}  // namespace mirrorball::binding
