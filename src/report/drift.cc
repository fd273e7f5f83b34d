#include "report/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "report/training_column.h"
#include "report/words.h"

namespace mirrorball {
namespace {

using Verdict = FeatureDrift::Verdict;

/// The usual reading of population stability: below 0.1 nothing, above 0.25 a lot.
constexpr double kSomePsi = 0.1, kLargePsi = 0.25;
/// Of the mean, in training deviations; of the ratio of deviations, either way.
constexpr double kSomeShift = 0.25, kLargeShift = 0.5, kSomeRatio = 1.25, kLargeRatio = 1.67;
/// Without any drift, n psi is about chi-squared; its 99.9% point over nine degrees of freedom.
constexpr double kPsiByChance = 27.9;
constexpr double kLargeShare = 0.05;  ///< of rows with something the training rows did not have

Verdict grade(double value, double some, double large) {
  return value > large ? Verdict::kLarge : value > some ? Verdict::kSome : Verdict::kSame;
}

void raise_to(FeatureDrift& drift, Verdict verdict) { drift.verdict = std::max(drift.verdict, verdict); }

void add_words(FeatureDrift& drift, const std::string& more) {
  drift.words += (drift.words.empty() ? "" : "; ") + more;
}

/// Inner edges at the training deciles, each different one once and none at the ends.
std::vector<double> decile_edges(const TrainingColumn& training) {
  std::vector<double> edges;
  for (int k = 1; k < 10; ++k) {
    const double edge = training.quantile(k / 10.0);
    if (edge < training.high() && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
}

double stability(const std::vector<double>& expected, const std::vector<double>& actual, double n) {
  double psi = 0;
  const double bins = static_cast<double>(expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    // Half a row in every bin keeps the logarithm finite.
    const double p = std::max(expected[k], 1e-4), q = (actual[k] * n + 0.5) / (n + 0.5 * bins);
    psi += (q - p) * std::log(q / p);
  }
  return psi;
}

double largest_gap(const std::vector<double>& sorted, const TrainingColumn& training) {
  const double n = static_cast<double>(sorted.size());
  double gap = 0;
  for (std::size_t i = 0, next; i < sorted.size(); i = next) {
    next = i + 1;
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    gap = std::max({gap, std::fabs(static_cast<double>(i) / n - training.below(sorted[i])),
                    std::fabs(static_cast<double>(next) / n - training.at_or_below(sorted[i]))});
  }
  return gap;
}

void compare_quantiles(const std::vector<double>& sorted, const TrainingColumn& training,
                       std::size_t training_rows, FeatureDrift& drift) {
  const double n = static_cast<double>(sorted.size());
  drift.edges = decile_edges(training);
  double expected_before = 0;
  std::size_t actual_before = 0;
  for (std::size_t k = 0; k <= drift.edges.size(); ++k) {
    const bool last = k == drift.edges.size();
    const double expected = last ? 1.0 : training.at_or_below(drift.edges[k]);
    const auto actual = static_cast<std::size_t>(
        last ? sorted.size()
             : std::upper_bound(sorted.begin(), sorted.end(), drift.edges[k] + training.slack()) -
                   sorted.begin());
    drift.expected.push_back(expected - expected_before);
    drift.actual.push_back(static_cast<double>(actual - actual_before) / n);
    expected_before = expected;
    actual_before = actual;
  }
  drift.psi = stability(drift.expected, drift.actual, n);
  drift.ks = largest_gap(sorted, training);
  const double chance =
      kPsiByChance * (1 / n + 1 / static_cast<double>(std::max<std::size_t>(1, training_rows)));
  raise_to(drift, grade(drift.psi, std::max(kSomePsi, chance), std::max(kLargePsi, chance)));
}

void compare_moments(const std::vector<double>& values, const TrainingColumn& training, FeatureDrift& drift) {
  const double n = static_cast<double>(values.size()), sd = training.sd();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (double value : values) square += (value - mean) * (value - mean);
  if (!(sd > 0)) return;  // a constant: what differs is outside its range
  drift.shift = (mean - training.mean()) / sd;
  if (n > 1) drift.spread_ratio = std::sqrt(square / (n - 1)) / sd;
  const double chance = 3 / std::sqrt(n), ratio = drift.spread_ratio;
  raise_to(drift, grade(std::fabs(drift.shift), std::max(kSomeShift, chance), std::max(kLargeShift, chance)));
  raise_to(drift, grade(std::max(ratio, 1 / ratio), std::max(kSomeRatio, 1 + chance),
                        std::max(kLargeRatio, 1 + chance)));
}

void compare_numbers(const Feature& feature, const Table& table, std::size_t column,
                     std::size_t training_rows, FeatureDrift& drift) {
  const TrainingColumn training(feature.transform);
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  std::erase_if(values, [](double value) { return std::isnan(value); });
  drift.gaps = drift.rows - values.size();
  drift.has_quantiles = training.has_quantiles();
  drift.low = training.low();
  drift.high = training.high();
  drift.training_median = feature.typical;
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  drift.median = values[values.size() / 2];
  for (double value : values) {
    drift.below += value < drift.low - training.slack();
    drift.above += value > drift.high + training.slack();
  }
  training.has_quantiles() ? compare_quantiles(values, training, training_rows, drift)
                           : compare_moments(values, training, drift);
  if (drift.verdict != Verdict::kSame)
    add_words(drift, fmt::format("median {} against {} in training", value_of(feature, drift.median),
                                 value_of(feature, drift.training_median)));
  if (drift.outside() > 0) {
    raise_to(drift, static_cast<double>(drift.outside()) > kLargeShare * static_cast<double>(drift.rows)
                        ? Verdict::kLarge
                        : Verdict::kSame);
    add_words(drift, fmt::format("{} outside the training range", counted(drift.outside(), "row", "rows")));
  }
}

void compare_levels(const Feature& feature, const Table& table, std::size_t column, FeatureDrift& drift) {
  const std::unordered_set<std::string> known(feature.levels.begin(), feature.levels.end());
  std::vector<std::int32_t> codes(table.rows());
  table.copy_codes(column, 0, codes.size(), codes.data());
  const std::vector<std::string>& levels = table.levels(column);
  std::vector<std::size_t> count(levels.size());
  for (std::int32_t code : codes)
    code == Table::kMissing ? ++drift.gaps : ++count[static_cast<std::size_t>(code)];
  std::vector<std::size_t> unseen;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    if (count[level] == 0) continue;
    if (known.contains(levels[level])) {
      ++drift.levels_met;
    } else {
      unseen.push_back(level);
      drift.unseen_rows += count[level];
    }
  }
  std::stable_sort(unseen.begin(), unseen.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  for (std::size_t level : unseen) drift.unseen_levels.push_back(levels[level]);
  drift.training_levels = feature.levels.size();
  if (drift.unseen_rows == 0) return;
  raise_to(drift, static_cast<double>(drift.unseen_rows) > kLargeShare * static_cast<double>(drift.rows)
                      ? Verdict::kLarge
                      : Verdict::kSome);
  add_words(drift, fmt::format("{} with {} never seen in training", counted(drift.unseen_rows, "row", "rows"),
                               counted(unseen.size(), "level", "levels")));
}

}  // namespace

FeatureDrift drift_of(const Feature& feature, const Table& table, std::size_t training_rows) {
  FeatureDrift drift;
  drift.name = feature.name;
  drift.type = feature.type;
  drift.rows = table.rows();
  drift.gaps_in_training = feature.gaps;
  const std::size_t column = table.column(feature.name);
  if (feature.type == ColumnType::kNumber) {
    compare_numbers(feature, table, column, training_rows, drift);
  } else {
    compare_levels(feature, table, column, drift);
  }
  if (drift.gaps > 0 && !feature.gaps) {
    raise_to(drift, static_cast<double>(drift.gaps) > kLargeShare * static_cast<double>(drift.rows)
                        ? Verdict::kLarge
                        : Verdict::kSome);
    add_words(drift,
              fmt::format("{} without a value, training had none", counted(drift.gaps, "row", "rows")));
  }
  return drift;
}

}  // namespace mirrorball
