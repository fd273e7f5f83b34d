#include "score/forecast.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "base/order_statistics.h"
#include "mirrorball/score.h"
#include "predictive/kde.h"

namespace mirrorball {
namespace {

/// At the door of every score: whole joint draws, at least `least`, nothing but numbers.
void check_forecast(std::span<const double> draws, std::span<const double> y, std::size_t least) {
  if (y.empty()) bad_input("y is empty: give at least 1 value");
  if (draws.size() % y.size() != 0)
    bad_input("{} numbers are not a whole number of samples of {} values each", draws.size(), y.size());
  if (draws.size() / y.size() < least)
    bad_input("{} samples given, but at least {} needed", draws.size() / y.size(), least);
  scoring::check_finite("y", y);
  scoring::check_finite("number", draws);
}

/// Of the range of the training targets: no density between atoms is resolved finer.
constexpr double kRestWidth = 0.01;

/// M², or M (M − 1) for the fair version, which leaves out the M pairs of a draw with itself.
double pair_count(std::size_t samples, bool fair) {
  const double count = static_cast<double>(samples);
  return count * (fair ? count - 1 : count);
}

}  // namespace

void scoring::check_finite(std::string_view what, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      bad_input("{} {} of {} is {}, not a finite number", what, i, values.size(), values[i]);
}

// Σ_ij |s_i − s_j| / 2 = Σ_k (2k − M + 1) s_(k), k from 0: the weights add up to 0, so s_(k) − y serves as
// well and keeps its digits when the draws are large and close together.
double scoring::sorted_crps(std::span<const double> sorted, double y, bool fair) {
  const std::size_t samples = sorted.size();
  double near = 0, spread = 0, weight = 1 - static_cast<double>(samples);
  for (const double draw : sorted) {
    near += std::abs(draw - y);
    spread += weight * (draw - y);
    weight += 2;
  }
  return near / static_cast<double>(samples) - spread / pair_count(samples, fair);
}

double scoring::sorted_pit(std::span<const double> sorted, double y) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), y);
  const std::ptrdiff_t twice = (first - sorted.begin()) + (last - sorted.begin());
  return 0.5 * static_cast<double>(twice) / static_cast<double>(sorted.size());
}

double scoring::atoms_nll(std::span<const double> draws, double y, const Atoms& atoms) {
  const double count = static_cast<double>(draws.size());
  if (const Atom* own = atoms.find(y)) {
    const auto there = std::count_if(draws.begin(), draws.end(),
                                     [&](double draw) { return own->low <= draw && draw <= own->high; });
    return std::log(count + 1) - std::log(static_cast<double>(there) + own->share);
  }
  std::vector<double> rest;
  std::copy_if(draws.begin(), draws.end(), std::back_inserter(rest),
               [&](double draw) { return atoms.find(draw) == nullptr; });
  double mean = 0, square = 0, sum = 0;
  const double others = static_cast<double>(rest.size());
  for (const double draw : rest) mean += draw / others;
  for (const double draw : rest) square += (draw - mean) * (draw - mean);
  const double scott = rest.size() > 1 ? std::pow(others, -0.4) * square / (others - 1) : 0,
               width = std::sqrt(scott + kRestWidth * kRestWidth * atoms.range() * atoms.range());
  for (const double draw : rest) sum += std::exp(-0.5 * (y - draw) * (y - draw) / (width * width));
  const double density = sum / (width * std::sqrt(2 * std::numbers::pi)) + atoms.rest() / atoms.range();
  return std::log(count + 1) - std::log(density);
}

double scoring::columns_energy_score(const scoring::Points& draws, std::span<const double> y, bool fair) {
  const std::size_t samples = draws.count();
  const double near =
      scoring::cross_distance_sum(y.data(), 1, 1, draws.data(), draws.stride(), samples, y.size());
  return near / static_cast<double>(samples) - scoring::pair_distance_sum(draws) / pair_count(samples, fair);
}

double crps(std::span<const double> draws, double y, bool fair) {
  check_forecast(draws, {&y, 1}, fair ? 2 : 1);
  return scoring::sorted_crps(sorted_copy(draws), y, fair);
}

double energy_score(std::span<const double> draws, std::span<const double> y, bool fair) {
  check_forecast(draws, y, fair ? 2 : 1);
  if (y.size() == 1) return scoring::sorted_crps(sorted_copy(draws), y[0], fair);
  return scoring::columns_energy_score(scoring::to_columns(draws, y.size()), y, fair);
}

double kde_nll(std::span<const double> draws, std::span<const double> y, bool* floored) {
  check_forecast(draws, y, 1);
  const std::size_t dims = y.size(), samples = draws.size() / dims;
  std::vector<double> columns(draws.size()), scratch;
  for (std::size_t k = 0; k < dims; ++k)
    for (std::size_t i = 0; i < samples; ++i) columns[k * samples + i] = draws[i * dims + k];
  const predictive::LogDensity density = predictive::kde_log_density(columns, y, scratch);
  if (floored) *floored = density.floored;
  return -density.value;
}

double nll(std::span<const double> draws, double y, const Atoms& atoms, bool* floored) {
  if (atoms.empty()) return kde_nll(draws, {&y, 1}, floored);
  check_forecast(draws, {&y, 1}, 1);
  if (floored) *floored = false;
  return scoring::atoms_nll(draws, y, atoms);
}

double pit(std::span<const double> draws, double y) {
  check_forecast(draws, {&y, 1}, 1);
  return scoring::sorted_pit(sorted_copy(draws), y);
}

}  // namespace mirrorball
