#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/region.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// A statistic of a row's samples: what is explained.
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
  /// Whose samples; may be empty for a model of one target, where the region is about one target, and for
  /// the region's probability.
  std::string target;
  Region where;  ///< only the samples in this region at the explained row; see `explain`
  /// Instead of `of`, any number of a row: gets samples of all targets for some rows, or those of them that
  /// count, and gives one number per row. It is called on the calling thread.
  std::function<void(const Predictive& samples, std::span<double> numbers)> number;
  /// Instead of `where`: which samples of the explained row count, one entry per sample of its one row.
  std::function<std::vector<bool>(const Predictive& row)> inside;
  PredictOptions predict = {
      .samples = kSummarySamples};    ///< `predict.seed` also selects background rows and orders of features
  std::size_t background_rows = 200;  ///< at most; more are sampled down
  /// Sets of features evaluated with each background row, at most; all of them where there are no more. 0 =
  /// all up to 5 features that differ, else one or two random orders of the features, walked both ways.
  std::size_t coalitions = 0;
  /// Gets the fraction of the work that is done, on the calling thread. An exception ends the work.
  std::function<void(double share)> progress;
};

/// Shapley values of some rows. For every row, `base` plus the sum of its `values` is `output`, to rounding.
/// A value lies within two of its `errors` of the one that all background rows and all sets of features would
/// give, in 95 of 100 cases.
struct Explanation {
  std::string target;  ///< whose samples; empty for the region's probability
  std::vector<std::string> features;
  std::vector<std::size_t> rows;        ///< of the table
  std::vector<double> values;           ///< rows x features
  std::vector<double> errors;           ///< rows x features: standard errors; NaN after one background row
  std::vector<double> base;             ///< per row: mean of f over the background
  std::vector<double> output;           ///< per row: f there
  std::vector<std::string> cells;       ///< rows x features: as in the table, dates in UTC; empty if missing
  std::vector<double> probability;      ///< per row: fraction of its samples in the region
  std::vector<std::size_t> background;  ///< rows of the background table that were used
  std::size_t base_rows = 0;            ///< rows behind `base`: all of them, up to 1000, or those used
  std::size_t samples = 0;              ///< samples per row
  std::size_t coalitions = 0;           ///< most sets of features evaluated with one background row
  bool exact = true;                    ///< all sets of features were evaluated, in every row

  double value(std::size_t row, std::size_t feature) const { return values[row * features.size() + feature]; }
  double error(std::size_t row, std::size_t feature) const { return errors[row * features.size() + feature]; }
  const std::string& cell(std::size_t row, std::size_t feature) const {
    return cells[row * features.size() + feature];
  }
};

/// Why f is what it is at rows of a table, against a background of other rows: Shapley values, by Kernel
/// SHAP.
///
/// f is a functional of one target's samples. With a region, f at the explained row x is taken over the
/// samples in the region, A = {i : y(x, a_i) in the region}, and at every other row over the samples of the
/// same noise, A again: how the samples that ended up in the region got there (the paper's region
/// explanation; for the mean it is the average over A of the SHAP values of y(x, a_i)). For the functional
/// "region", f is the probability of the region, over all samples.
///
/// A set S of features is worth the mean over background rows b of f at the row that has the cells of x in S
/// and those of b elsewhere; a cell is a number, a category or a missing value. All 2^d sets are evaluated
/// where up to 5 features differ, else random orders of the features.
///
/// Throws std::invalid_argument where no sample of a row is in the region.
Explanation explain(const Model& model, const Table& table, std::span<const std::size_t> rows,
                    const Table& background, const ExplainOptions& options = {});

/// Background rows made ready once for many explanations: encoded, in a random order, with their samples, so
/// that the base of any question is known at once. Safe to use from several threads.
class ExplainBackground {
 public:
  /// The model must outlive this, the table need not. `rows` is the most that an explanation will take.
  /// `predict` holds for all explanations with this background.
  ExplainBackground(const Model& model, const Table& table, const PredictOptions& predict,
                    std::size_t rows = ExplainOptions().background_rows);
  ~ExplainBackground();

 private:
  friend class ProgressiveExplanation;
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// The explanation of one row, refined step by step:
///
///   auto background = std::make_shared<const ExplainBackground>(model, table, options.predict);
///   ProgressiveExplanation found(background, rows, 0, options);
///   while (!found.complete()) {
///     found.refine(found.background_rows() + 16);  // the first answers after few rows, with large errors
///     show(found.explanation());
///   }
///
/// After so many background rows the explanation is the same whatever the steps were, for any number of
/// threads; the last one is what `explain` gives.
class ProgressiveExplanation {
 public:
  /// `options.predict` is not used, the background's is. Rows of the table are copied.
  ProgressiveExplanation(std::shared_ptr<const ExplainBackground> background, const Table& table,
                         std::size_t row, const ExplainOptions& options);
  ~ProgressiveExplanation();
  ProgressiveExplanation(ProgressiveExplanation&&) noexcept;

  /// Takes background rows until there are `rows` or all that the options ask for.
  void refine(std::size_t rows);
  std::size_t background_rows() const;
  bool complete() const;
  /// After one background row or more. One row; its number is that in the table.
  Explanation explanation() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mirrorball
