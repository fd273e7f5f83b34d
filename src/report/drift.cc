#include "report/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/order_statistics.h"
#include "report/number_text.h"

namespace mirrorball::report {
namespace {

using Verdict = FeatureDrift::Verdict;

/// The usual reading of population stability: below 0.1 nothing, above 0.25 a lot.
constexpr double kSomePsi = 0.1, kLargePsi = 0.25;
/// Of the mean, in training deviations; of the ratio of deviations, either way.
constexpr double kSomeShift = 0.25, kLargeShift = 0.5, kSomeRatio = 1.25, kLargeRatio = 1.67;
/// Without any drift, n psi is about chi-squared; its 99.9% point over nine degrees of freedom.
constexpr double kPsiByChance = 27.9;
constexpr double kLargeShare = 0.05,
                 kSomeShare = 0.01;  ///< of rows with something the training rows did not have

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

double largest_distance(const std::vector<double>& sorted, const TrainingColumn& training) {
  const double n = static_cast<double>(sorted.size());
  double largest = 0;
  for (std::size_t i = 0, next; i < sorted.size(); i = next) {
    next = i + 1;
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    largest = std::max({largest, std::fabs(static_cast<double>(i) / n - training.below(sorted[i])),
                        std::fabs(static_cast<double>(next) / n - training.at_or_below(sorted[i]))});
  }
  return largest;
}

void compare_quantiles(const std::vector<std::size_t>& counts, double n, const TrainingColumn& training,
                       std::size_t training_rows, FeatureDrift& drift) {
  double expected_before = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = k == drift.edges.size() ? 1.0 : training.at_or_below(drift.edges[k]);
    drift.expected.push_back(expected - expected_before);
    drift.actual.push_back(static_cast<double>(counts[k]) / n);
    expected_before = expected;
  }
  drift.psi = stability(drift.expected, drift.actual, n);
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

/// `some`: of values that training did not have, where they are more than a row here and there.
Verdict verdict_of_share(std::size_t count, std::size_t rows, Verdict some) {
  const double share = static_cast<double>(count) / static_cast<double>(rows);
  return share > kLargeShare ? Verdict::kLarge : share >= kSomeShare ? some : Verdict::kSame;
}

}  // namespace

DriftCounter::DriftCounter(const ColumnSchema& feature, std::size_t training_rows, std::size_t most)
    : feature_(feature), training_rows_(training_rows), training_(feature), kept_(most) {
  drift_.name = feature.name;
  drift_.type = feature.type;
  drift_.missing_in_training = feature.missing;
  if (!feature.is_number()) {
    for (const std::string& category : feature.categories)
      categories_.try_emplace(category, Category{true, 0, 0});
    drift_.training_categories = feature.categories.size();
    return;
  }
  drift_.has_quantiles = training_.has_quantiles();
  drift_.low = training_.low();
  drift_.high = training_.high();
  drift_.training_median = feature.median;
  if (!training_.has_quantiles()) return;
  drift_.edges = decile_edges(training_);
  counts_.assign(drift_.edges.size() + 1, 0);
}

void DriftCounter::add(const Table& block, std::span<const std::uint64_t> keys,
                       std::span<std::uint8_t> outside) {
  drift_.rows += block.rows();
  const std::size_t column = block.column(feature_.name);
  if (feature_.is_number())
    add_numbers(block, column, keys, outside);
  else
    add_categories(block, column);
}

void DriftCounter::add_numbers(const Table& block, std::size_t column, std::span<const std::uint64_t> keys,
                               std::span<std::uint8_t> outside) {
  std::vector<double> values(block.rows());
  block.copy_numbers(column, 0, values.size(), values.data());
  const double slack = training_.slack(), low = drift_.low - slack, high = drift_.high + slack;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double value = values[row];
    if (std::isnan(value)) {
      ++drift_.missing;
      continue;
    }
    drift_.below += value < low;
    drift_.above += value > high;
    outside[row] |= value < low || value > high;
    if (!counts_.empty()) {
      const auto bin = std::lower_bound(drift_.edges.begin(), drift_.edges.end(), value,
                                        [slack](double edge, double x) { return edge + slack < x; });
      ++counts_[static_cast<std::size_t>(bin - drift_.edges.begin())];
    }
    if (kept_.takes(keys[row])) kept_.add(keys[row], value);
  }
}

void DriftCounter::add_categories(const Table& block, std::size_t column) {
  std::vector<std::int32_t> codes(block.rows());
  block.copy_codes(column, 0, codes.size(), codes.data());
  const std::vector<std::string>& names = block.categories(column);
  std::vector<std::size_t> count(names.size());
  for (std::int32_t code : codes)
    code == Table::kMissing ? ++drift_.missing : ++count[static_cast<std::size_t>(code)];
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (count[i] == 0) continue;
    const auto [known, fresh] = categories_.try_emplace(names[i], Category{false, 0, categories_.size()});
    known->second.rows += count[i];
  }
}

void DriftCounter::compare_numbers() {
  std::vector<double> values = kept_.take();
  if (values.empty()) {
    drift_.edges.clear();
    return;
  }
  std::sort(values.begin(), values.end());
  drift_.median = sorted_median(values);
  if (training_.has_quantiles()) {
    compare_quantiles(counts_, static_cast<double>(drift_.rows - drift_.missing), training_, training_rows_,
                      drift_);
    drift_.ks = largest_distance(values, training_);
  } else {
    compare_moments(values, training_, drift_);
  }
  if (drift_.verdict != Verdict::kSame)
    add_words(drift_, fmt::format("median {}, in training {}", value_of(feature_, drift_.median),
                                  value_of(feature_, drift_.training_median)));
  if (drift_.outside() == 0) return;
  raise_to(drift_, verdict_of_share(drift_.outside(), drift_.rows, Verdict::kSame));
  add_words(drift_, fmt::format("{} outside the training range", counted_rows(drift_.outside())));
}

void DriftCounter::compare_categories() {
  if (feature_.categories.empty()) return;  // a column that names the rows, which the model does not use
  std::vector<std::pair<const std::string*, const Category*>> unseen;
  for (const auto& [name, category] : categories_) {
    if (category.rows == 0) continue;
    if (category.known) {
      ++drift_.categories_met;
    } else {
      unseen.emplace_back(&name, &category);
      drift_.unseen_rows += category.rows;
    }
  }
  std::sort(unseen.begin(), unseen.end(), [](const auto& a, const auto& b) {
    return a.second->rows != b.second->rows ? a.second->rows > b.second->rows : a.second->met < b.second->met;
  });
  for (const auto& [name, category] : unseen) drift_.unseen_categories.push_back(*name);
  if (drift_.unseen_rows == 0) return;
  raise_to(drift_, verdict_of_share(drift_.unseen_rows, drift_.rows, Verdict::kSome));
  add_words(drift_, fmt::format("{} with {} new or rare in training", counted_rows(drift_.unseen_rows),
                                counted(unseen.size(), "category", "categories")));
}

FeatureDrift DriftCounter::finish() {
  feature_.is_number() ? compare_numbers() : compare_categories();
  if (drift_.missing > 0 && !feature_.missing) {
    raise_to(drift_, verdict_of_share(drift_.missing, drift_.rows, Verdict::kSome));
    add_words(drift_, fmt::format("{} with a missing value, none in training", counted_rows(drift_.missing)));
  }
  return drift_;
}

}  // namespace mirrorball::report
