#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/region.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// A number that a row's draws give: what is explained.
struct Functional {
  enum class Kind { kMean, kSd, kQuantile, kWidth, kRegion };
  Kind kind = Kind::kMean;
  double level = 0;  ///< of a quantile; coverage of the interval whose width it is

  /// "mean", "sd", "median", "quantile:0.9", "width:0.9" or "region".
  static Functional parse(std::string_view text);
  std::string text() const;
};

struct ExplainOptions {
  Functional of;
  /// Whose draws; may be empty for a model of one target, where the region is about one target, and for the
  /// region's probability.
  std::string target;
  Region where;  ///< only the draws that lie here at the explained row; see `explain`
  PredictOptions draws = {.samples =
                              kSummarySamples};  ///< `draws.seed` also picks background rows and coalitions
  std::size_t background_rows = 100;             ///< at most; more are sampled down
  /// Of more than 12 features that differ, this many sets of features are asked for; 0 takes 2 d + 2048.
  std::size_t coalitions = 0;
  /// Gets the share of the work that is done, on the calling thread. What it throws ends the work.
  std::function<void(double share)> progress;
};

/// Shapley values of some rows. For every row, `base` plus the sum of its `values` is `output`, to rounding.
struct Explanation {
  std::string target;  ///< whose draws; empty for the region's probability
  std::vector<std::string> features;
  std::vector<std::size_t> rows;        ///< of the table
  std::vector<double> values;           ///< rows x features
  std::vector<double> base;             ///< per row: mean of f over the background
  std::vector<double> output;           ///< per row: f there
  std::vector<std::string> cells;       ///< rows x features: as in the table, dates in UTC; empty for a gap
  std::vector<double> probability;      ///< per row: share of its draws in the region
  std::vector<std::size_t> background;  ///< rows of the background table that were used
  std::size_t samples = 0;              ///< draws of a row
  std::size_t coalitions = 0;           ///< sets of features asked for, most of any row
  bool exact = true;                    ///< all sets of features were asked for, in every row

  double value(std::size_t row, std::size_t feature) const { return values[row * features.size() + feature]; }
  const std::string& cell(std::size_t row, std::size_t feature) const {
    return cells[row * features.size() + feature];
  }
};

/// Why f is what it is at rows of a table, against a background of other rows: Shapley values, by Kernel
/// SHAP.
///
/// f is a functional of one target's draws. With a region, f at the explained row x is taken over the draws
/// that lie in it, A = {i : y(x, a_i) in the region}, and at every other row over the draws of the same
/// noise, A again: how the draws that ended up in the region got there (the paper's region explanation; for
/// the mean it is the average over A of the SHAP values of y(x, a_i)). For the functional "region", f is the
/// probability of the region, over all draws.
///
/// A set S of features is worth the mean over background rows b of f at the row that has the cells of x in S
/// and those of b elsewhere; a cell is a number, a level or a gap. All 2^d sets are asked for where up to 12
/// features of x differ from the background, else a sample in pairs of a set and its complement.
///
/// Throws std::invalid_argument where no draw of a row lies in the region.
Explanation explain(const Model& model, const Table& table, std::span<const std::size_t> rows,
                    const Table& background, const ExplainOptions& options = {});

}  // namespace mirrorball
