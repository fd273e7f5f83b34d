#include "report/shown_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

constexpr double kPlaces[] = {0.5, 0.1, 0.9, 0.99, 1.0};
/// Rows that may be shown as the best or the worst: one in twenty, or a few.
constexpr std::size_t kFront = 12, kFrontShare = 20;
constexpr double kSameOutcome = 0.1;  ///< of the training spread

/// When two rows differ: how far their features lie apart, as a share of the distance of two rows picked at
/// random, and whether their outcomes have to differ too.
struct Difference {
  double apart;
  bool outcomes;
};
constexpr Difference kDifferences[] = {{0.5, true}, {0.25, true}, {0.25, false}};

/// The numbers of the values, smallest first.
std::vector<std::size_t> ascending(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

double badness(const Forecasts& all, std::size_t row, std::size_t target) {
  return all.scored() ? all.at(row, target).crps : all.at(row, target).sd;
}

}  // namespace

ShownRows shown_rows(const Model& model, const Table& table, std::vector<std::size_t> rows,
                     const PredictOptions& options) {
  if (rows.empty()) return {};
  Predictive samples = model.predict(select_rows(model, table, rows), options);
  return {std::move(rows), std::move(samples)};
}

std::vector<std::size_t> different_rows(const std::vector<std::size_t>& order, std::size_t count,
                                        const RowSpace& space, const Forecasts& all, std::size_t target,
                                        double outcome_spread) {
  const std::size_t front = std::min(order.size(), std::max(kFront, order.size() / kFrontShare));
  std::vector<std::size_t> picked;
  for (const Difference& wanted : kDifferences) {  // as far apart as there are rows for
    const auto alike = [&](std::size_t a, std::size_t b) {
      if (a == b) return true;
      const bool same_outcome = wanted.outcomes && all.scored() &&
                                std::fabs(all.outcome(a, target) - all.outcome(b, target)) <
                                    kSameOutcome * wanted.apart * outcome_spread;
      return same_outcome ||
             space.distance(space.row(a), space.row(b)) < wanted.apart * space.usual_distance();
    };
    for (std::size_t i = 0; i < front && picked.size() < count; ++i)
      if (std::none_of(picked.begin(), picked.end(), [&](std::size_t b) { return alike(order[i], b); }))
        picked.push_back(order[i]);
  }
  return picked;
}

std::vector<std::size_t> best_first(const Forecasts& all, std::size_t target) {
  std::vector<double> bad(all.rows);
  for (std::size_t row = 0; row < all.rows; ++row) bad[row] = badness(all, row, target);
  return ascending(bad);
}

JointRows joint_rows(const Model& model, const Table& table, const Forecasts& all,
                     const std::vector<double>& scales, const PredictOptions& options) {
  std::vector<double> bad(all.rows, 0.0);
  for (std::size_t row = 0; row < all.rows; ++row)
    for (std::size_t t = 0; t < all.targets; ++t)
      if (scales[t] > 0) bad[row] += badness(all, row, t) / scales[t];
  const std::vector<std::size_t> order = ascending(bad);
  JointRows result;
  std::vector<std::size_t> rows;
  for (const double place : kPlaces) {
    const std::size_t row = order[static_cast<std::size_t>(place * static_cast<double>(all.rows - 1))];
    if (std::find(rows.begin(), rows.end(), row) != rows.end()) continue;
    rows.push_back(row);
    result.places.push_back(place);
  }
  result.shown = shown_rows(model, table, std::move(rows), options);
  return result;
}

}  // namespace mirrorball::report
