#pragma once

#include <functional>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::report {

struct DriverOptions {
  std::size_t rows = 100;       ///< explained, at most
  std::size_t background = 50;  ///< rows to compare with, at most
  PredictOptions predict = {.samples = 200};
  std::function<void(double share)> progress;  ///< on the calling thread
};

/// What moves the forecasts: Shapley values, as `explain` gives them, of the mean and of the standard
/// deviation of every target, over a sample of rows.
struct Drivers {
  struct Effect {
    double size = 0;       ///< mean |Shapley value|, in the target's units
    double error = 0;      ///< standard error of `size`: rows, background rows and orders of features
    double direction = 0;  ///< of a number: correlation of its encoded value and its Shapley value, -1 to 1
  };
  std::size_t features = 0;
  std::vector<Effect> mean, spread;    ///< targets x features
  std::vector<std::size_t> explained;  ///< the rows, of those looked at
  /// Shapley values of each of these rows: rows x targets x (mean, spread) x features.
  std::vector<double> values;
  std::size_t rows = 0, background = 0, sets = 0;
  bool exact = true;  ///< all sets of features were evaluated, in every row

  double value(std::size_t row, std::size_t target, bool of_spread, std::size_t feature) const {
    const std::size_t kinds = values.size() / (explained.size() * features);
    return values[(row * kinds + 2 * target + of_spread) * features + feature];
  }
  const Effect& of_mean(std::size_t target, std::size_t feature) const {
    return mean[target * features + feature];
  }
  const Effect& of_spread(std::size_t target, std::size_t feature) const {
    return spread[target * features + feature];
  }
};

/// With many features there are fewer background rows, then fewer rows.
Drivers drivers(const Model& model, const Table& table, const DriverOptions& options);

}  // namespace mirrorball::report
