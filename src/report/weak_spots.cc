#include "report/weak_spots.h"

#include <algorithm>
#include <cmath>

#include "score/calibration.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kSpotSlices = 8, kLeastSpotRows = 30, kWorstRows = 5;
constexpr double kSureSpot = 4;         ///< standard errors; there are many slices to be unlucky in
constexpr double kLargerErrors = 1.25;  ///< times those of the other rows
constexpr double kTooFew = 0.03;        ///< below the coverage to expect

/// Sums over some rows.
struct Sums {
  double n = 0, crps = 0, square = 0, width = 0, inside = 0, mass = 0;

  void add(const RowForecast& row, double outcome) {
    n += 1;
    crps += row.crps;
    square += row.crps * row.crps;
    width += row.high - row.low;
    inside += row.covers(outcome);
    mass += row.mass;
  }
  double variance() const { return n > 1 ? std::max(0.0, square - crps * crps / n) / (n - 1) : 0; }
};

CalibrationCheck check(const Forecasts& all, std::size_t target, const std::vector<std::uint32_t>& rows) {
  scoring::CheckedRows checked;
  Sums here;
  for (std::uint32_t row : rows) {
    here.add(all.at(row, target), all.outcome(row, target));
    checked.pit.push_back(all.at(row, target).rank);
    checked.observed.push_back(all.outcome(row, target));
    checked.points += all.at(row, target).sd == 0;
  }
  checked.ninety = {.level = 0.9,
                    .coverage = here.inside / here.n,
                    .width = here.width / here.n,
                    .mass = here.mass / here.n};
  return scoring::check_calibration(std::move(checked));
}

std::vector<std::size_t> worst_rows(const Forecasts& all, std::size_t target,
                                    const std::vector<std::uint32_t>& rows) {
  std::vector<std::size_t> order(rows.begin(), rows.end());
  const auto count = static_cast<std::ptrdiff_t>(std::min(kWorstRows, order.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::size_t a, std::size_t b) {
    const double x = all.at(a, target).crps, y = all.at(b, target).crps;
    return x > y || (x == y && a < b);
  });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

SliceScores compare(const Forecasts& all, std::size_t target, const Slice& slice, const Sums& whole) {
  Sums here;
  for (std::uint32_t row : slice.rows) here.add(all.at(row, target), all.outcome(row, target));
  const double others = whole.n - here.n;
  SliceScores result;
  result.rows = slice.rows.size();
  if (here.n == 0) return result;
  result.crps = here.crps / here.n;
  result.coverage = here.inside / here.n;
  result.mass = here.mass / here.n;
  if (others > 0) {
    result.error_ratio = result.crps / ((whole.crps - here.crps) / others);
    result.width_ratio = here.width / here.n / ((whole.width - here.width) / others);
  }
  if (here.n >= kLeastSpotRows && others >= kLeastSpotRows) {
    const double sure = (result.crps - (whole.crps - here.crps) / others) /
                        std::sqrt(here.variance() / here.n + whole.variance() / others);
    const double missing =
        (result.mass - result.coverage) / std::sqrt(result.mass * (1 - result.mass) / here.n);
    result.large_errors = sure > kSureSpot && result.error_ratio > kLargerErrors;
    result.uncovered = missing > kSureSpot && result.coverage < result.mass - kTooFew;
  }
  return result;
}

/// Forecasts that promise too much first, the worst of them before the others; then large errors.
bool weaker(const SliceScores& a, const SliceScores& b) {
  if (a.uncovered != b.uncovered) return a.uncovered;
  return a.uncovered ? a.coverage - a.mass < b.coverage - b.mass : a.error_ratio > b.error_ratio;
}

}  // namespace

SliceDetails look_closer(const Forecasts& all, std::size_t target, const Slice& slice) {
  return {check(all, target, slice.rows), worst_rows(all, target, slice.rows)};
}

std::vector<FeatureSlices> slice_rows(const Table& table, const std::vector<ColumnSchema>& features) {
  std::vector<FeatureSlices> result;
  for (std::size_t f = 0; f < features.size(); ++f)
    result.push_back({f, slices(table, features[f], kSpotSlices)});
  return result;
}

std::vector<std::vector<SliceScores>> score_slices(const Forecasts& all, std::size_t target,
                                                   const std::vector<FeatureSlices>& slices) {
  Sums whole;
  for (std::size_t row = 0; row < all.rows; ++row) whole.add(all.at(row, target), all.outcome(row, target));
  std::vector<std::vector<SliceScores>> result;
  for (const FeatureSlices& feature : slices) {
    std::vector<SliceScores>& own = result.emplace_back();
    for (const Slice& slice : feature.slices) own.push_back(compare(all, target, slice, whole));
  }
  return result;
}

std::vector<WeakSpot> weak_spots(const std::vector<std::vector<SliceScores>>& scores, std::size_t most) {
  std::vector<WeakSpot> spots;
  const auto at = [&](const WeakSpot& spot) -> const SliceScores& {
    return scores[spot.feature][spot.slice];
  };
  for (std::size_t f = 0; f < scores.size(); ++f) {
    const WeakSpot none{f, scores[f].size()};
    WeakSpot worst = none;
    for (std::size_t s = 0; s < scores[f].size(); ++s)
      if ((scores[f][s].large_errors || scores[f][s].uncovered) &&
          (worst.slice == none.slice || weaker(scores[f][s], at(worst))))
        worst = {f, s};
    if (worst.slice != none.slice) spots.push_back(worst);
  }
  std::stable_sort(spots.begin(), spots.end(),
                   [&](const WeakSpot& a, const WeakSpot& b) { return weaker(at(a), at(b)); });
  if (spots.size() > most) spots.resize(most);
  return spots;
}

}  // namespace mirrorball::report
