#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encode/encoder.h"

namespace mirrorball::shap {

/// Numbers that are known for all background rows and move with what a feature contributes there: its own
/// cell, and the answer at the background row. A mean over few rows is corrected by how these few differ
/// from all (regression estimator, control variates).
class Controls {
 public:
  /// `x` is a row of `rows`; `base` has the answers at the background rows, one number each. All must outlive
  /// this.
  Controls(const encode::EncodedPlace& place, const rows::EncodedRows& rows, std::size_t x,
           const rows::EncodedRows& background, std::span<const double> base);

  /// One number per background row each, the most useful first.
  const std::vector<std::vector<double>>& columns() const { return columns_; }

 private:
  void add(std::vector<double> column);

  std::vector<std::vector<double>> columns_;
};

}  // namespace mirrorball::shap
