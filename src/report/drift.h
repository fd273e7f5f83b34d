#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/reservoir.h"
#include "mirrorball/schema.h"
#include "mirrorball/table.h"
#include "report/training_column.h"

namespace mirrorball::report {

/// How far one feature's values are from those of the training rows.
///
/// A number is compared with the training quantiles the model keeps:
///   psi = Σ_k (q_k - p_k) ln(q_k / p_k), population stability over up to ten bins cut at the training
///   deciles,
///         p the training shares and q those of the data;
///   ks  = max_x |F_data(x) - F_training(x)|.
/// After the standard transform the model knows a mean and a standard deviation only; the shift of the mean
/// in training deviations and the ratio of deviations stand in. Of a category the model knows its categories,
/// but not how frequent they were.
struct FeatureDrift {
  enum class Verdict { kSame, kSome, kLarge };

  std::string name;
  ColumnType type = ColumnType::kNumber;
  std::size_t rows = 0, missing = 0;
  bool missing_in_training = false;
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
  std::size_t training_categories = 0, categories_met = 0;
  std::size_t unseen_rows = 0;
  std::vector<std::string> unseen_categories;  ///< most frequent first

  std::size_t outside() const { return below + above; }
};

/// One feature of a model against a table that has it and comes in blocks. All rows are counted; the median,
/// ks and the moments are of at most `most` values, those of the rows with the smallest keys.
class DriftCounter {
 public:
  /// `training_rows` says how exact the quantiles are. The feature must outlive this.
  DriftCounter(const ColumnSchema& feature, std::size_t training_rows, std::size_t most);

  /// `keys` has one per row, as a Reservoir takes them. `outside` is set for rows outside the training range.
  void add(const Table& block, std::span<const std::uint64_t> keys, std::span<std::uint8_t> outside);

  FeatureDrift finish();

 private:
  struct Category {
    bool known;             ///< from training
    std::size_t rows, met;  ///< met: how many categories were met before it
  };

  void add_numbers(const Table& block, std::size_t column, std::span<const std::uint64_t> keys,
                   std::span<std::uint8_t> outside);
  void add_categories(const Table& block, std::size_t column);
  void compare_numbers();
  void compare_categories();

  const ColumnSchema& feature_;
  std::size_t training_rows_;
  TrainingColumn training_;
  FeatureDrift drift_;
  std::vector<std::size_t> counts_;  ///< of the bins
  Reservoir<double> kept_;
  std::unordered_map<std::string, Category> categories_;
};

}  // namespace mirrorball::report
