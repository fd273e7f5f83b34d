#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "mirrorball/model.h"
#include "model/predict_blocks.h"

namespace mirrorball::model {

/// Which numbers are written for a row: of each target the samples, or summaries of them in the order mean,
/// sd, intervals, quantiles, uncertainty; and then the probabilities of regions of the targets. Where nothing
/// is asked: mean, sd and the 5, 50 and 95% quantiles.
struct PredictionForm {
  std::size_t samples = 0;  ///< written instead of summaries; 0 for none
  std::vector<double> quantiles;
  std::vector<double> intervals;  ///< coverages of central ones
  std::vector<Region> regions;    ///< of the model's targets
  bool mean = false, sd = false;
  bool uncertainty = false;  ///< the variance and the expected CRPS, each with its two parts
  std::size_t summary_samples = kSummarySamples;  ///< of a row, behind its summaries
  std::vector<std::string> keep;  ///< columns of the table that come first, as ReadOptions::keep gave them
  char separator = ',';

  /// Samples of a row behind these numbers.
  std::size_t draws() const;
  /// Numbers that are written for a row and target.
  std::size_t columns() const;
  /// Throws std::invalid_argument for levels and coverages that are none.
  void check() const;
};

/// What the samples behind the probabilities of regions were like, over all rows.
struct RegionsSeen {
  std::size_t rows = 0;
  std::vector<bool> reached;                      ///< of each region: whether any sample lay in it
  std::vector<std::pair<double, double>> ranges;  ///< of each target: its least and greatest sample
};

/// Predicts a table and writes one line per row, block by block: lines come out before the last row is read,
/// and memory does not grow with the rows. A table without rows gives a header alone.
RegionsSeen write_predictions(const Model& model, TableSource& source, const PredictionForm& form,
                              PredictOptions options, std::ostream& out, const RowProgress& progress = {});

}  // namespace mirrorball::model
