#include "calibrate/distances.h"

#include <cmath>
#include <numeric>

#include "base/order_statistics.h"

namespace mirrorball::calibrate {
namespace {

/// Mean of |a_i - y|.
double distance_to(std::span<const double> a, double y) {
  double sum = 0;
  for (const double value : a) sum += std::abs(value - y);
  return sum / static_cast<double>(a.size());
}

/// Mean of |a_i - b_j|, both ascending: the distances within the union, less those within each.
double distance_between(std::span<const double> a, std::span<const double> b) {
  double total_b = std::accumulate(b.begin(), b.end(), 0.0), below = 0, sum = 0;
  const double n = static_cast<double>(b.size());
  std::size_t j = 0;
  for (const double value : a) {
    for (; j < b.size() && b[j] <= value; ++j) below += b[j];
    sum += (2 * static_cast<double>(j) - n) * value + total_b - 2 * below;
  }
  return sum / (static_cast<double>(a.size()) * n);
}

Distances row_distances(const HeldOut& rows, std::size_t row, const std::vector<double>& grid,
                        double boost_weight) {
  const auto doubles = [&](const HeldOut::Draws& draws) {
    const std::span<const float> own = draws.of(row);
    std::vector<double> moved(own.begin(), own.end());
    if (!rows.boosted.empty()) move_towards(rows.boosted[row], boost_weight, moved);
    return moved;
  };
  const std::vector<double> network = doubles(rows.network);
  const std::array<std::vector<double>, Distances::kOthers> others = {
      doubles(rows.forest), doubles(rows.process), doubles(rows.neighbours)};
  const double y = rows.transformed_truth[row], middle = sorted_median(network);
  Distances result;
  result.network_within = sorted_mean_difference(network) * (rows.widening.empty() ? 1 : rows.widening[row]);
  for (std::size_t a = 0; a < others.size(); ++a) {
    if (others[a].empty()) continue;
    result.truth[a] = distance_to(others[a], y);
    result.apart[a][a] = sorted_mean_difference(others[a]);
    for (std::size_t b = a + 1; b < others.size(); ++b)
      if (!others[b].empty()) result.apart[a][b] = distance_between(others[a], others[b]);
  }
  std::vector<double> scaled(network.size());
  for (const double factor : grid) {
    for (std::size_t i = 0; i < network.size(); ++i) scaled[i] = middle + factor * (network[i] - middle);
    result.network_truth.push_back(distance_to(scaled, y));
    for (std::size_t a = 0; a < others.size(); ++a)
      if (!others[a].empty()) result.network_other[a].push_back(distance_between(scaled, others[a]));
  }
  return result;
}

}  // namespace

double Distances::crps(std::size_t factor_index, double factor, const Weights& weight) const {
  const double network = 1 - std::accumulate(weight.begin(), weight.end(), 0.0);
  double within = network * network * factor * network_within,
         to_truth = network * network_truth[factor_index];
  for (std::size_t a = 0; a < kOthers; ++a) {
    if (weight[a] == 0) continue;
    to_truth += weight[a] * truth[a];
    within += weight[a] * (weight[a] * apart[a][a] + 2 * network * network_other[a][factor_index]);
    for (std::size_t b = a + 1; b < kOthers; ++b) within += 2 * weight[a] * weight[b] * apart[a][b];
  }
  return to_truth - 0.5 * within;
}

void Distances::add(double share, const Distances& row) {
  const auto add_all = [share](std::vector<double>& to, const std::vector<double>& from) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += share * from[i];
  };
  network_within += share * row.network_within;
  add_all(network_truth, row.network_truth);
  for (std::size_t a = 0; a < kOthers; ++a) {
    truth[a] += share * row.truth[a];
    add_all(network_other[a], row.network_other[a]);
    for (std::size_t b = a; b < kOthers; ++b) apart[a][b] += share * row.apart[a][b];
  }
}

std::vector<Distances> all_distances(const HeldOut& rows, const std::vector<double>& grid,
                                     double boost_weight, ThreadPool& pool) {
  std::vector<Distances> each(rows.rows);
  each_row(rows.rows, pool,
           [&](std::size_t row, unsigned) { each[row] = row_distances(rows, row, grid, boost_weight); });
  return each;
}

Distances mean_distances(const HeldOut& rows, const std::vector<Distances>& each) {
  const double total = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
  Distances mean;
  for (std::size_t row = 0; row < rows.rows; ++row)
    mean.add(total > 0 ? rows.weight[row] / total : 0, each[row]);
  return mean;
}

}  // namespace mirrorball::calibrate
