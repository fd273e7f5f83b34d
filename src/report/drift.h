#pragma once

#include <string>
#include <vector>

#include "encode/encoder.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// How far one feature's values are from those of the training rows.
///
/// A number is compared with the training quantiles the model keeps:
///   psi = Σ_k (q_k - p_k) ln(q_k / p_k), population stability over up to ten bins cut at the training
///   deciles,
///         p the training shares and q those of the data;
///   ks  = max_x |F_data(x) - F_training(x)|.
/// After the standard transform the model knows a mean and a standard deviation only; the shift of the mean
/// in training deviations and the ratio of deviations stand in. Of a category the model knows its levels, but
/// not how frequent they were.
struct FeatureDrift {
  enum class Verdict { kSame, kSome, kLarge };

  std::string name;
  ColumnType type = ColumnType::kNumber;
  std::size_t rows = 0, gaps = 0;
  bool gaps_in_training = false;
  Verdict verdict = Verdict::kSame;
  std::string words;  ///< why, in a few words

  // Of a number.
  bool has_quantiles = false;
  double psi = 0, ks = 0;              ///< with quantiles
  double shift = 0, spread_ratio = 1;  ///< without
  std::size_t below = 0, above = 0;    ///< rows outside the training range
  double low = 0, high = 0;            ///< that range
  double median = 0, training_median = 0;
  std::vector<double> edges, expected, actual;  ///< the bins' inner edges and shares

  // Of a category.
  std::size_t training_levels = 0, levels_met = 0;
  std::size_t unseen_rows = 0;
  std::vector<std::string> unseen_levels;  ///< most frequent first

  std::size_t outside() const { return below + above; }
};

/// One feature of a model against a table that has it. `training_rows` says how exact the quantiles are.
FeatureDrift drift_of(const Feature& feature, const Table& table, std::size_t training_rows);

}  // namespace mirrorball
