#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "explain/background.h"
#include "explain/composites.h"
#include "explain/estimate.h"
#include "explain/walks.h"

namespace mirrorball::shap {

/// What is asked of a row: one or several numbers, its answers.
struct Asked {
  std::size_t kinds = 1;              ///< numbers asked of a row
  std::vector<double> at_x;           ///< answers of the explained row
  std::vector<double> at_background;  ///< background rows x kinds
};

/// The answers of rows, each `kinds` long.
using Ask = std::function<void(const rows::EncodedRows& rows, double* out)>;

struct RowPlan {
  std::size_t rows = 0;        ///< background rows to take in the end
  std::size_t coalitions = 0;  ///< sets of features with each of them, at most; 0: automatic
  std::size_t block = 1;       ///< rows evaluated at a time
  std::uint64_t seed = 0;
};

/// Shapley values of one row, from more and more background rows. What comes out after some number of rows
/// does not depend on how they were taken.
class RowExplainer {
 public:
  /// `x` is a row of `inputs`. Features, inputs and background must outlive this.
  RowExplainer(const std::vector<encode::Feature>& features, const rows::EncodedRows& inputs, std::size_t x,
               const BackgroundRows& background, Asked asked, const RowPlan& plan);

  /// Background rows taken so far.
  std::size_t taken() const { return found_.rows; }
  bool complete() const { return found_.rows == plan_.rows; }

  /// Takes background rows until there are `rows`. `progress` gets how many have been evaluated.
  void refine(std::size_t rows, const Ask& ask, const std::function<void(double rows)>& progress = {});

  /// Values and errors of all features, after one row or more.
  Estimate estimate(std::size_t kind) const;
  double base(std::size_t kind) const;
  double output(std::size_t kind) const { return asked_.at_x[kind]; }

  /// The most sets of features evaluated with one background row; whether they were all of them, with every
  /// row.
  std::size_t most_sets() const { return most_sets_; }
  bool all_sets() const { return all_sets_; }

 private:
  void choose_asked();
  Walks walks(std::size_t b);
  void add(const Walks& walks, std::size_t b);
  Estimate varying_estimate(std::size_t kind) const;

  const std::vector<encode::Feature>& features_;
  const rows::EncodedRows& inputs_;
  std::size_t x_;
  const BackgroundRows& background_;
  Asked asked_;
  RowPlan plan_;
  Composites composites_;
  std::vector<double> answers_;  ///< by number of the composite row, `kinds` each
  Contributions found_;
  std::size_t most_sets_ = 1;
  bool all_sets_ = true;
};

}  // namespace mirrorball::shap
