#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/thread_pool.h"
#include "mirrorball/explain.h"

namespace mirrorball::shap {

/// f: a number from the samples of a row.
class Question {
 public:
  /// With a region, `at_x` are the samples of the explained row, which decide what samples count. The options
  /// must outlive this.
  Question(const ExplainOptions& options, std::size_t target, const Predictive& at_x);

  /// Share of the explained row's samples that count, and how many they are.
  double probability() const { return probability_; }
  std::size_t kept() const { return kept_.size(); }
  /// The samples that an answer takes: a spread has two ends.
  std::size_t least() const;

  /// The one target whose samples are needed, if it is one.
  std::optional<std::size_t> only() const;

  /// One number for every row. `forecast` are those of all targets, or of `only` one.
  void answer(const Predictive& forecast, ThreadPool& pool, double* out) const;

 private:
  double of_row(const Predictive& forecast, std::size_t row) const;
  /// The samples that count, of all rows and targets.
  Predictive kept_samples(const Predictive& forecast) const;

  const ExplainOptions& options_;
  std::size_t target_;
  std::vector<std::size_t> kept_;
  double probability_;
};

}  // namespace mirrorball::shap
