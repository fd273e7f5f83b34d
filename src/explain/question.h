#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "mirrorball/explain.h"

namespace mirrorball::shap {

/// f: a number from the draws of a row.
class Question {
 public:
  /// With a region, `at_x` are the draws of the explained row, which decide what draws count. The options
  /// must outlive this.
  Question(const ExplainOptions& options, std::size_t target, const Predictive& at_x);

  /// Share of the explained row's draws that count, and how many they are.
  double probability() const { return probability_; }
  std::size_t kept() const { return kept_.size(); }
  /// The draws that an answer takes: a spread has two ends.
  std::size_t least() const;

  /// The one target whose draws are needed, if it is one.
  std::optional<std::size_t> only() const;

  /// `draws` are those of all targets, or of `only` one.
  double operator()(const Predictive& draws, std::size_t row) const;

 private:
  const ExplainOptions& options_;
  std::size_t target_;
  std::vector<std::size_t> kept_;
  double probability_;
};

}  // namespace mirrorball::shap
