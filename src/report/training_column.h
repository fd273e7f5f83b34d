#pragma once

#include "mirrorball/schema.h"

namespace mirrorball::report {

/// What a model still knows of a number column of its training table: quantiles at equal steps or, after the
/// standard transform, mean and standard deviation only.
class TrainingColumn {
 public:
  explicit TrainingColumn(const ColumnSchema& column) : column_(column) {}

  bool has_quantiles() const { return column_.has_quantiles(); }
  /// Where all training values lay; without quantiles, four standard deviations around the mean.
  double low() const;
  double high() const;
  bool outside(double x) const { return x < low() - slack() || x > high() + slack(); }

  /// Without quantiles, that of a normal distribution.
  double quantile(double level) const;
  double mean() const;
  double sd() const;

  /// Shares of the training values below x, and at or below it.
  double below(double x) const;
  double at_or_below(double x) const;
  /// Where x stands among the other training values, from 0, the least of them, to 1: however many equal it.
  double rank(double x) const;

  /// How far two readings of the same number may lie apart: tables keep 24 bits.
  double slack() const;

 private:
  const ColumnSchema& column_;
};

}  // namespace mirrorball::report
