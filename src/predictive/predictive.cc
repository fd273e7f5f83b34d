#include "mirrorball/predictive.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/order_statistics.h"
#include "predictive/kde.h"
#include "predictive/split_uncertainty.h"

namespace mirrorball {
namespace {

void check_target(const Predictive& forecast, std::size_t target) {
  if (target >= forecast.targets())
    bad_input("target {} does not exist: the forecast has {} targets", target, forecast.targets());
}

void check_place(const Predictive& forecast, std::size_t row, std::size_t target) {
  if (row >= forecast.rows())
    bad_input("row {} does not exist: the forecast has {} rows", row, forecast.rows());
  check_target(forecast, target);
}

void check_value(double y) {
  if (std::isnan(y)) bad_input("y is {}: give a number", y);
}

/// A NaN or an infinity has no place in an order.
std::vector<double> finite_copy(std::span<const double> draws) {
  std::vector<double> values(draws.begin(), draws.end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      bad_input("sample {} of {} is {}, not a finite number", i, values.size(), values[i]);
  return values;
}

double mean_of(std::span<const double> draws) {
  return std::accumulate(draws.begin(), draws.end(), 0.0) / static_cast<double>(draws.size());
}

}  // namespace

Predictive::Predictive(std::size_t rows, std::size_t samples, std::vector<std::string> targets)
    : rows_(rows), samples_(samples), targets_(std::move(targets)) {
  if (samples_ == 0) bad_input("0 samples per row: use at least 1");
  if (targets_.empty()) bad_input("0 targets: use at least 1");
  limits_.resize(targets_.size());
  atoms_.resize(targets_.size());
  values_.resize(rows_ * samples_ * targets_.size());
}

const Limits& Predictive::limits(std::size_t target) const {
  check_target(*this, target);
  return limits_[target];
}

const Atoms& Predictive::atoms(std::size_t target) const {
  check_target(*this, target);
  return atoms_[target];
}

void Predictive::set_atoms(std::size_t target, Atoms atoms) {
  check_target(*this, target);
  atoms_[target] = std::move(atoms);
}

void Predictive::set_limits(std::size_t target, Limits limits) {
  check_target(*this, target);
  if (!(limits.low <= limits.high))
    bad_input("the limits {} to {} are not in order: give the lower first", limits.low, limits.high);
  limits_[target] = limits;
}

void Predictive::set_sources(std::vector<std::uint32_t> sources) {
  if (sources.size() != samples_)
    bad_input("there are {} sources for {} samples: give one for each sample", sources.size(), samples_);
  for (const std::uint32_t source : sources)
    if (source >= predictive::kMostSources)
      bad_input("source {} is out of range: number the sources from 0 to {}", source,
                predictive::kMostSources - 1);
  sources_ = std::move(sources);
}

std::span<double> Predictive::row_samples(std::size_t row, std::size_t target) {
  check_place(*this, row, target);
  return std::span(values_).subspan((row * targets() + target) * samples_, samples_);
}

std::span<const double> Predictive::row_samples(std::size_t row, std::size_t target) const {
  check_place(*this, row, target);
  return std::span(values_).subspan((row * targets() + target) * samples_, samples_);
}

std::vector<double> Predictive::joint_samples(std::size_t row) const {
  std::vector<double> joint(samples_ * targets());
  for (std::size_t t = 0; t < targets(); ++t) {
    const std::span<const double> own = row_samples(row, t);
    for (std::size_t i = 0; i < samples_; ++i) joint[i * targets() + t] = own[i];
  }
  return joint;
}

double Predictive::mean(std::size_t row, std::size_t target) const {
  return mean_of(row_samples(row, target));
}

double Predictive::sd(std::size_t row, std::size_t target) const {
  const std::span<const double> values = row_samples(row, target);
  if (values.size() == 1) return 0;
  const double centre = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double Predictive::quantile(double level, std::size_t row, std::size_t target) const {
  std::vector<double> values = finite_copy(row_samples(row, target));
  const auto [below, above, weight] = quantile_place(level, values.size());
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), place, values.end());
  const double next = above == below ? *place : *std::min_element(place + 1, values.end());
  return interpolate(*place, next, weight);
}

std::vector<double> Predictive::quantiles(std::span<const double> levels, std::size_t row,
                                          std::size_t target) const {
  std::vector<double> values = finite_copy(row_samples(row, target)), answer;
  std::sort(values.begin(), values.end());
  answer.reserve(levels.size());
  for (const double level : levels) answer.push_back(sorted_quantile(values, level));
  return answer;
}

std::pair<double, double> Predictive::interval(double coverage, std::size_t row, std::size_t target) const {
  if (!(coverage >= 0 && coverage <= 1)) bad_input("coverage {} is out of range: use 0 to 1", coverage);
  const double ends[] = {(1 - coverage) / 2, (1 + coverage) / 2};
  const std::vector<double> answer = quantiles(ends, row, target);
  return {answer[0], answer[1]};
}

Uncertainty Predictive::uncertainty(std::size_t row, std::size_t target) const {
  const std::vector<double> values = finite_copy(row_samples(row, target));
  if (sources_.empty())
    bad_input(
        "the uncertainty cannot be split: which network each sample comes from is not known; set it "
        "with set_sources");
  return predictive::split_uncertainty(values, sources_);
}

double Predictive::cdf(double y, std::size_t row, std::size_t target) const {
  check_value(y);
  const std::span<const double> values = row_samples(row, target);
  const auto below = std::count_if(values.begin(), values.end(), [y](double value) { return value <= y; });
  return static_cast<double>(below) / static_cast<double>(samples_);
}

double Predictive::density(double y, std::size_t row, std::size_t target) const {
  check_value(y);
  std::vector<double> scratch;
  return std::exp(predictive::kde_log_density(finite_copy(row_samples(row, target)), {&y, 1}, scratch).value);
}

Density Predictive::shape(std::size_t row, std::size_t target) const {
  return Density(row_samples(row, target), limits(target));
}

double Predictive::probability(std::size_t row,
                               const std::function<bool(std::span<const double>)>& inside) const {
  const std::vector<double> joint = joint_samples(row);
  std::size_t count = 0;
  for (std::size_t i = 0; i < samples_; ++i)
    count += inside(std::span(joint).subspan(i * targets(), targets())) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(samples_);
}

double Predictive::probability(std::size_t row, const Region& region) const {
  return probability(row, [&region](std::span<const double> values) { return region.contains(values); });
}

}  // namespace mirrorball
