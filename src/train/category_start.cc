#include "train/category_start.h"

#include <cmath>

#include "base/random.h"

namespace mirrorball::train {
namespace {

/// Rows of an average category that every category is given beside its own.
constexpr double kAverageRows = 10;
constexpr float kKeptOfFresh = 0.1f;
constexpr double kGain = 2;
/// Distinguishes these random numbers from those of the fresh weights, whose parts are counted from 0.
constexpr std::uint32_t kPart = 1u << 16;

std::vector<double> target_means(const TrainingRows& rows, std::span<const rows::RowNumber> train,
                                 std::size_t targets) {
  std::vector<double> means(targets, 0.0);
  double weight = 0;
  for (const rows::RowNumber row : train) {
    weight += rows.weights[row];
    for (std::size_t t = 0; t < targets; ++t)
      means[t] += static_cast<double>(rows.weights[row]) * rows.targets[row * targets + t];
  }
  for (double& mean : means) mean /= weight;
  return means;
}

}  // namespace

CategoryStart::CategoryStart(const net::NetShape& shape, const TrainingRows& rows,
                             std::span<const rows::RowNumber> train)
    : targets_(shape.targets),
      learned_rows_(shape.learned_rows),
      limit_(1 / std::sqrt(static_cast<double>(shape.inputs() + shape.codes))) {
  if (shape.codes == 0) return;
  const std::vector<double> means = target_means(rows, train, targets_);
  for (std::size_t column = 0; column < shape.codes; ++column) {
    Column placed = place_column(rows, train, column, means);
    if (placed.categories.size() > 1) columns_.push_back(std::move(placed));
  }
}

CategoryStart::Column CategoryStart::place_column(const TrainingRows& rows,
                                                  std::span<const rows::RowNumber> train, std::size_t column,
                                                  const std::vector<double>& means) const {
  std::vector<double> weight(learned_rows_, 0.0), excess(learned_rows_ * targets_, 0.0);
  for (const rows::RowNumber row : train) {
    const std::int32_t code = rows.inputs.codes[row * rows.inputs.code_columns + column];
    if (code == rows::EncodedRows::kNothing) continue;
    const auto category = static_cast<std::size_t>(code);
    weight[category] += rows.weights[row];
    for (std::size_t t = 0; t < targets_; ++t)
      excess[category * targets_ + t] +=
          static_cast<double>(rows.weights[row]) * (rows.targets[row * targets_ + t] - means[t]);
  }
  Column placed;
  for (std::size_t category = 0; category < learned_rows_; ++category)
    if (weight[category] > 0) placed.categories.push_back(category);
  placed.places.resize(placed.categories.size() * targets_);
  for (std::size_t t = 0; t < targets_; ++t) {
    double square = 0, total = 0;
    for (const std::size_t category : placed.categories) {
      double& place = excess[category * targets_ + t];
      place /= weight[category] + kAverageRows;
      square += weight[category] * place * place;
      total += weight[category];
    }
    const double scale = square > 0 ? std::sqrt(total / square) : 0;
    for (std::size_t i = 0; i < placed.categories.size(); ++i)
      placed.places[i * targets_ + t] =
          static_cast<float>(scale * excess[placed.categories[i] * targets_ + t]);
  }
  return placed;
}

void CategoryStart::apply(const net::NetLayout& layout, std::uint64_t seed, std::uint32_t network,
                          float* weights) const {
  const net::Tensor& tensor = layout.learned_rows;
  const double limit = limit_ * kGain / std::sqrt(static_cast<double>(targets_));
  std::vector<float> direction(targets_ * tensor.cols);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Stream random(seed, Purpose::kInit, network, kPart, static_cast<std::uint32_t>(c));
    for (float& value : direction) value = static_cast<float>(limit * (2 * random.uniform_double() - 1));
    for (std::size_t i = 0; i < columns_[c].categories.size(); ++i) {
      float* row = tensor.in(weights) + columns_[c].categories[i] * tensor.stride;
      for (std::size_t col = 0; col < tensor.cols; ++col) {
        row[col] *= kKeptOfFresh;
        for (std::size_t t = 0; t < targets_; ++t)
          row[col] += columns_[c].places[i * targets_ + t] * direction[t * tensor.cols + col];
      }
    }
  }
}

}  // namespace mirrorball::train
