#include "report/row_space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/order_statistics.h"
#include "report/chosen_rows.h"
#include "report/training_column.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kNeighbourRows = 2000, kMeasured = 300;
constexpr std::size_t kNeighbours = 3;
constexpr double kUsual = 0.95;        ///< share of the rows that count as having neighbours
constexpr float kMissingPlace = -9;    ///< as far from every rank as another category
constexpr float kUnknown = -99;        ///< a category that training did not have
constexpr float kCategories = 100;     ///< coordinates of categories begin here
constexpr double kLeastWeight = 0.02;  ///< of the largest: no feature is free
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

RowSpace::RowSpace(const Table& table, const std::vector<ColumnSchema>& features, std::vector<double> weights)
    : schema_(features), rows_(table.rows()), features_(features.size()), weights_(std::move(weights)) {
  const double most = weights_.empty() ? 0 : *std::max_element(weights_.begin(), weights_.end());
  for (double& weight : weights_) weight = most > 0 ? std::max(weight, kLeastWeight * most) : 1;
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= sum;
  values_.resize(rows_ * features_);
  for (std::size_t f = 0; f < features_; ++f) {
    const ColumnSchema& feature = features[f];
    const std::size_t column = table.column(feature.name);
    if (feature.is_number()) {
      for (std::size_t row = 0; row < rows_; ++row)
        values_[row * features_ + f] = coordinate(f, table.number(row, column));
      typical_.push_back(coordinate(f, feature.median));
      continue;
    }
    std::vector<float> known;
    for (const std::string& category : table.categories(column)) known.push_back(coordinate(f, category));
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::int32_t code = table.code(row, column);
      values_[row * features_ + f] =
          code == Table::kMissing ? kMissingPlace : known[static_cast<std::size_t>(code)];
    }
    typical_.push_back(feature.categories.empty() ? kMissingPlace : kCategories);
  }
  sample_ = picked_rows(rows_, kNeighbourRows, 0, Pick::kNeighbours);
  std::vector<double> near, far;
  for (std::size_t i = 0; i < std::min(kMeasured, sample_.size()); ++i) {
    const std::size_t a = sample_[i * sample_.size() / std::min(kMeasured, sample_.size())];
    near.push_back(nearness(row(a), a));
    far.push_back(distance(row(a), row(sample_[(i * 7919 + 1) % sample_.size()])));
  }
  std::sort(near.begin(), near.end());
  if (!near.empty()) reach_ = sorted_quantile(near, kUsual);
  if (!far.empty()) usual_ = median(far);
}

float RowSpace::coordinate(std::size_t f, double number) const {
  if (std::isnan(number)) return kMissingPlace;
  const TrainingColumn training(schema_[f]);
  return static_cast<float>(0.5 * (training.below(number) + training.at_or_below(number)));
}

float RowSpace::coordinate(std::size_t f, const std::string& category) const {
  const auto& known = schema_[f].categories;
  const auto at = std::find(known.begin(), known.end(), category);
  return at == known.end() ? kUnknown : kCategories + static_cast<float>(at - known.begin());
}

// d² = Σ_f w_f δ_f², δ the difference of ranks, or 1 where categories differ or one value is missing.
double RowSpace::distance(std::span<const float> a, std::span<const float> b) const {
  double sum = 0;
  for (std::size_t f = 0; f < features_; ++f) {
    const double apart = std::min(1.0f, std::fabs(a[f] - b[f]));
    sum += weights_[f] * apart * apart;
  }
  return std::sqrt(sum);
}

double RowSpace::nearness(std::span<const float> point, std::size_t skip) const {
  std::array<double, kNeighbours> nearest;
  nearest.fill(std::numeric_limits<double>::infinity());
  for (std::size_t other : sample_) {
    if (other == skip) continue;
    const double d = distance(point, row(other));
    if (d >= nearest.back()) continue;
    nearest.back() = d;
    for (std::size_t i = kNeighbours - 1; i > 0 && nearest[i] < nearest[i - 1]; --i)
      std::swap(nearest[i], nearest[i - 1]);
  }
  return nearest.back();
}

std::size_t RowSpace::most_typical() const {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t candidate : sample_) {
    const double d = distance(typical_, row(candidate));
    if (d < least) least = d, best = candidate;
  }
  return best;
}

bool RowSpace::has_neighbours(std::span<const float> point) const { return nearness(point, kNone) <= reach_; }

}  // namespace mirrorball::report
