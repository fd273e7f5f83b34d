#include "report/shown_rows.h"

#include <algorithm>
#include <numeric>

#include "report/chosen_rows.h"

namespace mirrorball::report {
namespace {

constexpr double kPlaces[] = {0.5, 0.1, 0.9, 0.99, 1.0};

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
  Predictive draws = model.predict(select_rows(model, table, rows), options);
  return {std::move(rows), std::move(draws)};
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
