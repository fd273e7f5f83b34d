#pragma once

#include <functional>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::report {

struct DriverOptions {
  std::size_t rows = 100;       ///< explained, at most
  std::size_t background = 16;  ///< rows to compare with
  PredictOptions draws = {.samples = 200};
  std::function<void(double share)> progress;  ///< on the calling thread
};

/// What moves the forecasts: Shapley values, as `explain` gives them, of the mean and of the standard
/// deviation of every target, over a sample of rows.
struct Drivers {
  struct Effect {
    double size = 0;       ///< mean |Shapley value|, in the target's units
    double direction = 0;  ///< of a number: correlation of its encoded value and its Shapley value, -1 to 1
  };
  std::size_t features = 0;
  std::vector<Effect> mean, spread;  ///< targets x features
  std::size_t rows = 0, background = 0, sets = 0;
  bool exact = true;  ///< all sets of features were asked for, in every row

  const Effect& of_mean(std::size_t target, std::size_t feature) const {
    return mean[target * features + feature];
  }
  const Effect& of_spread(std::size_t target, std::size_t feature) const {
    return spread[target * features + feature];
  }
};

/// Where a row asks for very many sets of features, fewer rows are explained.
Drivers drivers(const Model& model, const Table& table, const DriverOptions& options);

}  // namespace mirrorball::report
