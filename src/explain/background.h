#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/row_sampler.h"

namespace mirrorball::shap {

/// Background rows in a random order, so that the first few are a fair sample.
struct BackgroundRows {
  std::size_t table_rows = 0;     ///< that they stand for
  std::vector<std::size_t> rows;  ///< their numbers in the table
  rows::EncodedRows encoded;
  std::vector<std::u16string> cells;  ///< as `cell_numbers` gives them

  std::size_t size() const { return rows.size(); }
};

/// Up to `most` row numbers in the order that the seed gives.
std::vector<std::size_t> random_rows(std::size_t rows, std::size_t most, std::uint64_t seed);

/// Background rows and their samples: the same for every explanation, so made once for all of them.
class Background {
 public:
  /// `least` rows or more, as many as the base is worth, of the table's.
  Background(const Table& table, std::size_t least, const PredictOptions& options,
             const model::RowSampler& sampler);

  const BackgroundRows& rows() const { return rows_; }

  /// Calls body(samples, first) for all rows, in blocks.
  void visit(const model::RowSampler& sampler,
             const std::function<void(const Predictive& forecast, std::size_t first)>& body) const;

 private:
  BackgroundRows rows_;
  Predictive kept_;    ///< no rows where they would take too much memory
  std::size_t block_;  ///< rows sampled at a time where they are not kept
};

}  // namespace mirrorball::shap
