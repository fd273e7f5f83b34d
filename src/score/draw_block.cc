#include "mirrorball/draw_block.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.h"
#include "base/thread_pool.h"
#include "mirrorball/score.h"
#include "predictive/order.h"
#include "score/forecast.h"
#include "score/sample_distances.h"

namespace mirrorball {
namespace {

// As for the scorer: hides the hand-over, shares out evenly.
constexpr std::size_t kRowsPerTask = 16;

/// body(row) for all rows, on `threads` threads where there is work for them.
template <class Body>
void for_rows(std::size_t rows, unsigned threads, const Body& body) {
  const std::size_t tasks = (rows + kRowsPerTask - 1) / kRowsPerTask;
  ThreadPool pool(tasks <= 1 ? 1 : threads);
  pool.run(tasks, [&](std::size_t task, unsigned) {
    const std::size_t end = std::min(rows, (task + 1) * kRowsPerTask);
    for (std::size_t row = task * kRowsPerTask; row < end; ++row) body(row);
  });
}

/// Every `step`-th value from `first` on.
std::vector<double> strided(std::span<const double> values, std::size_t first, std::size_t step) {
  std::vector<double> column;
  column.reserve(values.size() / step);
  for (std::size_t i = first; i < values.size(); i += step) column.push_back(values[i]);
  return column;
}

std::vector<double> sorted_column(std::span<const double> row, std::size_t target, std::size_t targets) {
  std::vector<double> column = strided(row, target, targets);
  std::sort(column.begin(), column.end());
  return column;
}

void check_fair(std::size_t samples, bool fair) {
  if (fair && samples < 2)
    bad_input("{} draw a row, the fair score needs at least 2: take fair false", samples);
}

}  // namespace

DrawBlock::DrawBlock(std::span<const double> draws, std::size_t rows, std::size_t samples,
                     std::size_t targets, unsigned threads)
    : draws_(draws), rows_(rows), samples_(samples), targets_(targets), threads_(threads) {
  if (samples == 0 || targets == 0)
    bad_input("{} draws of {} targets say nothing: at least 1 of each is needed", samples, targets);
  if (draws.size() != rows * samples * targets)
    bad_input("{} numbers are not {} rows of {} draws of {} targets", draws.size(), rows, samples, targets);
  for (std::size_t i = 0; i < draws.size(); ++i)
    if (!std::isfinite(draws[i]))
      bad_input("draw {} of {} for target {} in row {} is {}, not a finite number", i / targets % samples,
                samples, i % targets, i / targets / samples, draws[i]);
}

void DrawBlock::check_observed(std::span<const double> observed) const {
  if (observed.size() != rows_ * targets_)
    bad_input("{} observed values, the draws are of {} rows of {} targets", observed.size(), rows_, targets_);
  for (std::size_t i = 0; i < observed.size(); ++i)
    if (!std::isfinite(observed[i]))
      bad_input("the observed value of target {} in row {} is {}, not a finite number: leave such rows out",
                i % targets_, i / targets_, observed[i]);
}

/// One value per row and target, from the draws in ascending order and the place of the value.
template <class Value>
std::vector<double> DrawBlock::each_sorted(const Value& value) const {
  std::vector<double> out(rows_ * targets_);
  for_rows(rows_, threads_, [&](std::size_t r) {
    for (std::size_t k = 0; k < targets_; ++k) {
      const std::size_t place = r * targets_ + k;
      out[place] = value(sorted_column(row(r), k, targets_), place);
    }
  });
  return out;
}

std::vector<double> DrawBlock::crps(std::span<const double> observed, bool fair) const {
  check_observed(observed);
  check_fair(samples_, fair);
  return each_sorted([&](std::span<const double> sorted, std::size_t place) {
    return sorted_crps(sorted, observed[place], fair);
  });
}

std::vector<double> DrawBlock::pit(std::span<const double> observed) const {
  check_observed(observed);
  return each_sorted(
      [&](std::span<const double> sorted, std::size_t place) { return sorted_pit(sorted, observed[place]); });
}

std::vector<double> DrawBlock::kde_nll(std::span<const double> observed, std::size_t* floored) const {
  check_observed(observed);
  std::vector<double> out(rows_ * targets_);
  std::atomic<std::size_t> floors{0};
  for_rows(rows_, threads_, [&](std::size_t r) {
    for (std::size_t k = 0; k < targets_; ++k) {
      bool floor = false;
      const std::size_t place = r * targets_ + k;
      out[place] = mirrorball::kde_nll(strided(row(r), k, targets_), observed.subspan(place, 1), &floor);
      if (floor) ++floors;
    }
  });
  if (floored) *floored += floors;
  return out;
}

std::vector<double> DrawBlock::energy_score(std::span<const double> observed, bool fair) const {
  if (targets_ == 1) return crps(observed, fair);
  check_observed(observed);
  check_fair(samples_, fair);
  std::vector<double> out(rows_);
  for_rows(rows_, threads_, [&](std::size_t r) {
    out[r] =
        columns_energy_score(to_columns(row(r), targets_), observed.subspan(r * targets_, targets_), fair);
  });
  return out;
}

std::vector<double> DrawBlock::joint_kde_nll(std::span<const double> observed, std::size_t* floored) const {
  check_observed(observed);
  std::vector<double> out(rows_);
  std::atomic<std::size_t> floors{0};
  for_rows(rows_, threads_, [&](std::size_t r) {
    bool floor = false;
    out[r] = mirrorball::kde_nll(row(r), observed.subspan(r * targets_, targets_), &floor);
    if (floor) ++floors;
  });
  if (floored) *floored += floors;
  return out;
}

std::vector<double> DrawBlock::quantiles(std::span<const double> levels) const {
  for (const double level : levels) quantile_position(level, samples_);  // refuses what is not in 0..1
  std::vector<double> out(rows_ * targets_ * levels.size());
  for_rows(rows_, threads_, [&](std::size_t r) {
    for (std::size_t k = 0; k < targets_; ++k) {
      const std::vector<double> sorted = sorted_column(row(r), k, targets_);
      double* const place = out.data() + (r * targets_ + k) * levels.size();
      for (std::size_t i = 0; i < levels.size(); ++i) place[i] = sorted_quantile(sorted, levels[i]);
    }
  });
  return out;
}

std::vector<double> DrawBlock::log_density(std::size_t r, std::span<const double> points) const {
  if (r >= rows_) bad_input("row {} asked, the draws are of {} rows", r, rows_);
  if (points.size() % targets_ != 0)
    bad_input("{} numbers are not whole points of {} targets each", points.size(), targets_);
  std::vector<double> out(points.size() / targets_);
  for_rows(out.size(), threads_, [&](std::size_t i) {
    out[i] = -mirrorball::kde_nll(row(r), points.subspan(i * targets_, targets_));
  });
  return out;
}

std::vector<Distances> DrawBlock::distances(const Law& law, std::span<const double> x) const {
  if (x.size() != rows_) bad_input("{} values of x, the draws are of {} rows", x.size(), rows_);
  if (targets_ != law.target_names().size())
    bad_input("the draws have {} targets, the law '{}' has {}", targets_, law.name(),
              law.target_names().size());
  std::vector<Distances> out(rows_);
  for_rows(rows_, threads_, [&](std::size_t r) { out[r] = law.distances(x[r], row(r)); });
  return out;
}

std::vector<Distances> DrawBlock::distances(const DrawBlock& other, std::size_t cells) const {
  if (other.rows_ != rows_ || other.targets_ != targets_)
    bad_input("draws of {} rows and {} targets cannot be compared with {} rows and {} targets", rows_,
              targets_, other.rows_, other.targets_);
  if (targets_ > 2)
    bad_input("distances are for 1 or 2 targets, the draws have {}: compare targets by themselves", targets_);
  if (cells == 0) bad_input("0 cells: at least 1 is needed");
  std::vector<Distances> out(rows_);
  for_rows(rows_, threads_, [&](std::size_t r) {
    out[r] = sample_distances(to_columns(row(r), targets_), to_columns(other.row(r), targets_), cells);
  });
  return out;
}

}  // namespace mirrorball
