#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/atoms.h"
#include "mirrorball/density.h"
#include "mirrorball/options.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// One input or output column of a model, as it was in training.
struct ColumnSchema {
  std::string name;
  ColumnType type = ColumnType::kNumber;

  // Of a number.
  Transform transform = Transform::kStandard;  ///< as settled: never kAuto
  /// The training values: quantiles at equal steps of probability, from least to greatest; for the
  /// transforms standard and none only {mean, standard deviation}.
  std::vector<double> knots;
  double median = 0;      ///< of the training values
  bool dates = false;     ///< seconds since 1970, shown as dates
  bool by_value = false;  ///< a feature that enters the network by its value as well as by its rank
  int digits = 7;         ///< significant digits worth showing

  // Of a category.
  std::vector<std::string> categories;  ///< those kept, most frequent first

  bool missing = false;  ///< training rows had missing values here

  bool is_number() const { return type == ColumnType::kNumber; }
  /// Whether `knots` are quantiles.
  bool has_quantiles() const { return transform != Transform::kStandard && transform != Transform::kNone; }
  /// Training value at a probability in [0, 1]; without quantiles that of a normal distribution, whose ends
  /// are taken at 0.001 and 0.999.
  double training_quantile(double probability) const;
  /// From the least to the greatest training value.
  double span() const { return training_quantile(1) - training_quantile(0); }
  /// Of a target: the range its samples can have. Quantiles never leave the training range, and a target
  /// without spread has one value; others have no limits.
  Limits limits() const;
  /// Of a target: the values that are probability masses, by its quantiles; none without quantiles.
  Atoms atoms() const;
  /// How many decimals the training values have, 0 for whole numbers; none where they have more than six, or
  /// where the file has no quantiles.
  std::optional<int> decimals() const;
  /// `value` to the digits a table keeps of it: 0.034000002 becomes 0.034.
  double rounded(double value) const;
};

/// What a model takes and gives: its features in their order, and its targets.
struct Schema {
  std::vector<ColumnSchema> features, targets;

  /// The feature of that name; null where there is none.
  const ColumnSchema* find_feature(std::string_view name) const;
};

/// How the samples of one target are corrected, in transformed units. A row's samples are a pool: those of
/// the networks, quantiles of the forest's leaves and of the Gaussian process, and targets of neighbours.
///
///   0. boosted    z <- z + boost_weight (b - a)     a the mean of one source's samples, b the boosted trees'
///   1. networks   z <- m + spread (z - m)           m the median of the networks' samples
///   2. tails      a share tail_weight of the pool, evenly spread over the ranks: z <- m + tail_spread (z -
///   m)
///   3. interval   z <- m + f(t) (z - m), t the probability level of the sample's rank, m the pool's median,
///                 f = 1 inside the central half, `interval` at the ends of the central 90% interval and
///                 beyond, linear between
struct Calibration {
  double forest_weight = 0;     ///< share of the pool that comes from the forest
  double process_weight = 0;    ///< share of the pool that comes from the Gaussian process
  double neighbour_weight = 0;  ///< share of the pool that comes from neighbours
  double boost_weight = 0;      ///< of the boosted trees in the mean of the networks' samples
  double spread = 1;
  double tail_weight = 0, tail_spread = 1;
  double interval = 1;
};

}  // namespace mirrorball
