#pragma once

#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::serve {

/// How much each feature moves the forecasts, to begin with the one that matters: for each feature and
/// target, the mean change of the forecast's mean when a row takes the value of another row of `background`,
/// all else kept. From a few rows and samples, so it is an order to look at them in, and not an importance;
/// empty where there are too many features to try.
std::vector<std::vector<double>> feature_effects(const Model& model, const Table& background,
                                                 unsigned threads);

}  // namespace mirrorball::serve
