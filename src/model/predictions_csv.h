#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <vector>

#include "mirrorball/model.h"
#include "model/predict_blocks.h"

namespace mirrorball::model {

/// Which numbers are written for a row and target; mean, sd and the 5, 50 and 95% quantiles where nothing is
/// asked.
struct PredictionForm {
  std::size_t samples = 0;  ///< draws; 0 for none
  std::vector<double> quantiles;
  std::optional<double> interval;  ///< coverage of the central one
  bool mean = false;

  /// Draws of a row behind these numbers.
  std::size_t draws() const;
  /// Throws std::invalid_argument for levels and coverages that are none.
  void check() const;
};

/// Predicts a table and writes one line per row, block by block: lines come out before the last row is read,
/// and memory does not grow with the rows.
void write_predictions(const Model& model, TableSource& source, const PredictionForm& form,
                       PredictOptions options, std::ostream& out, const RowProgress& progress = {});

}  // namespace mirrorball::model
