#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/shape.h"
#include "train/training_rows.h"

namespace mirrorball::train {

/// Learned rows of a category that start in the order of its categories' targets. Categories of similar
/// targets then begin close together and part only as far as the data ask for: many categories of few rows
/// each are not learned one by one from chance.
///
///   p_lt = (sum of w y_t - m_t sum of w) / (sum of w + 10) over the training rows of category l, m_t the
///   mean,
///          divided by the root mean square over the rows of the column
///   row_l <- row_l / 10 + 2 / sqrt(targets) * sum over t of p_lt u_t,  u_t uniform like a fresh row
///
/// A column with one learned row, as numbers with missing values have it, keeps its start.
class CategoryStart {
 public:
  /// By the targets of the rows `train`.
  CategoryStart(const net::NetShape& shape, const TrainingRows& rows, std::span<const rows::RowNumber> train);

  void apply(const net::NetLayout& layout, std::uint64_t seed, std::uint32_t network, float* weights) const;

 private:
  struct Column {
    std::vector<std::size_t> categories;  ///< their learned rows
    std::vector<float> places;            ///< categories x targets
  };
  Column place_column(const TrainingRows& rows, std::span<const rows::RowNumber> train, std::size_t column,
                      const std::vector<double>& means) const;

  std::size_t targets_, learned_rows_;
  double limit_;  ///< of a fresh row's values
  std::vector<Column> columns_;
};

}  // namespace mirrorball::train
