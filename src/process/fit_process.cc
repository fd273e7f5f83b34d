#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order_statistics.h"
#include "base/random.h"
#include "mirrorball/score.h"
#include "plan/rules.h"
#include "process/leave_one_out.h"
#include "process/process.h"

namespace mirrorball::process {
namespace {

/// Kernels are fitted to at most so many rows: the cost grows with the third power.
constexpr std::size_t kSearchRows = 600;
/// Steps of a search from the usual kernel, and from one that is good already.
constexpr int kSteps = 40, kMoreSteps = 12;
/// Of the time of all, what the first of them take.
constexpr double kSearchShare = 0.5;
/// A transformed target beyond this lies as far out as its neighbours': normal scores of extremes would be
/// taken for large errors.
constexpr double kFurthest = 3;
/// Quantiles of the standardised errors that are kept.
constexpr std::size_t kErrors = 201;
/// Quantiles of a forecast that is scored to choose the scale.
constexpr std::size_t kScored = 50;

/// The rows' targets on a scale, with mean 0 and about unit spread.
struct Scaled {
  Scale scale;
  Observations seen;
};

Scaled on_scale(bool own, const Task& task, std::span<const rows::RowNumber> which, const Points& points) {
  Scaled made;
  made.seen.points = points;
  made.scale.own = own;
  double sum = 0, squares = 0, weights = 0;
  for (const rows::RowNumber row : which) {
    const double value = own ? task.observed[row]
                             : std::clamp(static_cast<double>(task.transformed[row]), -kFurthest, kFurthest),
                 weight = static_cast<double>(task.weights[row]);
    made.seen.values.push_back(value);
    made.seen.weights.push_back(weight);
    sum += weight * value;
    weights += weight;
  }
  made.scale.center = sum / weights;
  for (std::size_t i = 0; i < which.size(); ++i)
    squares += made.seen.weights[i] * std::pow(made.seen.values[i] - made.scale.center, 2);
  made.scale.spread = std::sqrt(squares / weights);
  for (double& value : made.seen.values) value = (value - made.scale.center) / made.scale.spread;
  return made;
}

/// Rows that kernels are searched with, in two halves. A kernel is fitted to each. A row's forecast is held
/// out in earnest where neither its value nor its part in the kernel entered: it goes by the other half's
/// kernel.
std::array<std::vector<std::size_t>, 2> half_of_rows(std::size_t rows, std::uint64_t seed) {
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream random(seed, Purpose::kProcess);
  shuffle(order, random);
  order.resize(std::min(rows, kSearchRows));
  std::array<std::vector<std::size_t>, 2> halves;
  for (std::size_t i = 0; i < order.size(); ++i) halves[i % 2].push_back(order[i]);
  for (auto& half : halves) std::sort(half.begin(), half.end());
  return halves;
}

/// The forecasts by the kernel that has not seen a row's half. `first` are the places of the first one's.
Forecasts crossed(const Forecasts& by_first, const Forecasts& by_second, std::span<const std::size_t> first) {
  Forecasts all = by_first;
  for (const std::size_t place : first) {
    all.mean[place] = by_second.mean[place];
    all.sd[place] = by_second.sd[place];
  }
  return all;
}

std::vector<double> standardised_errors(const Observations& seen, const Forecasts& forecasts) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < seen.values.size(); ++i)
    errors.push_back((seen.values[i] - forecasts.mean[i]) / forecasts.sd[i]);
  std::sort(errors.begin(), errors.end());
  std::vector<double> kept(kErrors);
  for (std::size_t i = 0; i < kErrors; ++i)
    kept[i] = sorted_quantile(errors, static_cast<double>(i) / static_cast<double>(kErrors - 1));
  return kept;
}

/// Mean CRPS of forecasts in the target's units.
double score(const Scaled& scaled, const Forecasts& forecasts, std::span<const double> truth,
             const encode::NumberTransform& transform) {
  GaussianProcess writer;
  writer.scale = scaled.scale;
  writer.errors = standardised_errors(scaled.seen, forecasts);
  std::vector<float> quantiles(kScored);
  std::vector<double> values(kScored);
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    writer.write_quantiles(forecasts.mean[i], forecasts.sd[i], transform, quantiles);
    std::transform(quantiles.begin(), quantiles.end(), values.begin(),
                   [&](float z) { return transform.inverse(static_cast<double>(z)); });
    sum += scaled.seen.weights[i] * crps(values, truth[i]);
    weights += scaled.seen.weights[i];
  }
  return sum / weights;
}

class Fitter {
 public:
  Fitter(const Task& task, std::vector<rows::RowNumber> rows, const WorkTime& time, std::uint64_t seed,
         ThreadPool& pool)
      : task_(task),
        rows_(std::move(rows)),
        time_(time),
        pool_(pool),
        halves_(half_of_rows(rows_.size(), seed)) {
    const Points points = Points::of(task.rows, rows_);
    for (const bool own : {false, true}) scaled_.push_back(on_scale(own, task, rows_, points));
    std::merge(halves_[0].begin(), halves_[0].end(), halves_[1].begin(), halves_[1].end(),
               std::back_inserter(searched_));
  }

  std::optional<FittedProcess> run() {
    if (!(scaled_[0].scale.spread > 0 && scaled_[1].scale.spread > 0) || !search()) return {};
    return finish(better_scale());
  }

 private:
  /// A kernel for each scale and half.
  bool search() {
    const std::size_t features = scaled_[0].seen.points.features();
    pool_.run(4, [&](std::size_t i, unsigned) {
      if (!time_.is_over())
        kernels_[i] = fit_kernel(scaled_[i / 2].seen.chosen(halves_[i % 2]), Kernel::usual(features), kSteps,
                                 time_, kSearchShare / 4);
    });
    return !time_.is_over();
  }

  /// By the rows that were searched.
  std::size_t better_scale() const {
    std::vector<double> truth;
    for (const std::size_t place : searched_) truth.push_back(task_.observed[rows_[place]]);
    std::vector<std::size_t> first;  // places of the first half among the searched
    for (std::size_t i = 0; i < searched_.size(); ++i)
      if (std::binary_search(halves_[0].begin(), halves_[0].end(), searched_[i])) first.push_back(i);
    std::array<double, 2> scores;
    pool_.run(2, [&](std::size_t i, unsigned) {
      Scaled some = {scaled_[i].scale, scaled_[i].seen.chosen(searched_)};
      const auto a = leave_one_out(some.seen, kernels_[2 * i]),
                 b = leave_one_out(some.seen, kernels_[2 * i + 1]);
      scores[i] = a && b ? score(some, crossed(*a, *b, first), truth, task_.transform)
                         : std::numeric_limits<double>::infinity();
    });
    return scores[1] < scores[0] ? 1 : 0;
  }

  /// All rows, with a kernel that has seen both halves.
  std::optional<FittedProcess> finish(std::size_t scale) {
    const Observations& seen = scaled_[scale].seen;
    const Kernel &one = kernels_[2 * scale], &other = kernels_[2 * scale + 1];
    std::array<std::optional<Forecasts>, 2> forecasts;
    FittedProcess made;
    bool good = false;
    pool_.run(3, [&](std::size_t i, unsigned) {
      if (i == 0) {
        const Kernel kernel = fit_kernel(seen.chosen(searched_), Kernel::between(one, other), kMoreSteps,
                                         time_, 1 - kSearchShare);
        good = invert(seen, kernel, made.process);
      } else {
        forecasts[i - 1] = leave_one_out(seen, i == 1 ? one : other);
      }
    });
    if (!good || !forecasts[0] || !forecasts[1]) return {};
    Forecasts all = crossed(*forecasts[0], *forecasts[1], halves_[0]);
    made.process.errors = standardised_errors(seen, all);
    made.process.scale = scaled_[scale].scale;
    made.rows = rows_;
    made.mean = std::move(all.mean);
    made.sd = std::move(all.sd);
    return made;
  }

  static bool invert(const Observations& seen, const Kernel& kernel, GaussianProcess& process) {
    const auto root = root_of(seen, kernel);
    if (root.info() != Eigen::Success) return false;
    const auto n = static_cast<Eigen::Index>(seen.values.size());
    const Eigen::VectorXd factors = root.solve(Eigen::Map<const Eigen::VectorXd>(seen.values.data(), n));
    const Eigen::MatrixXd inverse_root = root.matrixL().solve(Eigen::MatrixXd::Identity(n, n));
    process.kernel = kernel;
    process.points = seen.points;
    process.factors.assign(factors.begin(), factors.end());
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) process.root.push_back(static_cast<float>(inverse_root(i, j)));
    return true;
  }

  const Task& task_;
  std::vector<rows::RowNumber> rows_;
  const WorkTime& time_;
  ThreadPool& pool_;
  std::array<std::vector<std::size_t>, 2> halves_;
  std::vector<std::size_t> searched_;
  std::vector<Scaled> scaled_;     ///< in transformed units, in the target's own
  std::array<Kernel, 4> kernels_;  ///< two halves for each scale
};

}  // namespace

std::optional<FittedProcess> fit_process(const Task& task, std::span<const rows::RowNumber> which,
                                         double seconds, std::uint64_t seed, ThreadPool& pool, Watch* watch) {
  std::vector<rows::RowNumber> rows;
  for (const rows::RowNumber row : which)
    if (task.weights[row] > 0) rows.push_back(row);
  if (rows.size() < plan::kFewestProcessRows) return {};
  const WorkTime time(seconds, watch);
  return Fitter(task, std::move(rows), time, seed, pool).run();
}

}  // namespace mirrorball::process
