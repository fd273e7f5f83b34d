#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::report {

/// Rows as points: a number by its rank among the training values, a category as equal or not, and features
/// by how much they matter. So two rows are near where the model has reason to treat them alike.
class RowSpace {
 public:
  /// `weights` has one number per feature; all 0 makes them alike.
  RowSpace(const Table& table, const std::vector<ColumnSchema>& features, std::vector<double> weights);

  std::size_t rows() const { return rows_; }
  std::span<const float> row(std::size_t row) const { return {values_.data() + row * features_, features_}; }
  /// The point with all features at their typical values, which need not be near any row.
  const std::vector<float>& typical() const { return typical_; }
  /// A value of feature f as a coordinate: of a number, or of a category by its place in the schema.
  float coordinate(std::size_t f, double number) const;
  float coordinate(std::size_t f, const std::string& category) const;

  double distance(std::span<const float> a, std::span<const float> b) const;
  /// The row nearest to the typical point.
  std::size_t most_typical() const;
  /// Whether some rows lie as near to a point as rows usually lie to each other.
  bool has_neighbours(std::span<const float> point) const;
  /// Distance of two rows picked at random, about.
  double usual_distance() const { return usual_; }

 private:
  double nearness(std::span<const float> point, std::size_t skip) const;

  const std::vector<ColumnSchema>& schema_;
  std::size_t rows_ = 0, features_ = 0;
  std::vector<double> weights_;
  std::vector<float> values_, typical_;
  std::vector<std::size_t> sample_;  ///< rows that neighbours are looked for among
  double reach_ = 0, usual_ = 0;
};

}  // namespace mirrorball::report
