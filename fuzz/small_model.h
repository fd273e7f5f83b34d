#pragma once

#include <string>

#include "mirrorball/model.h"

namespace mirrorball::fuzz {

/// A model with a bit of everything that loads in a fraction of a millisecond: features a (dates), b (numbers
/// with missing values) and kind (categories), targets y and "z 2", calibration. Always the same.
Model small_model();
/// The same for y alone, with what only models of one target have: a forest and a Gaussian process.
Model small_model_with_experts();

/// The same files as every other time, as bytes.
const std::string& small_model_bytes();
const std::string& small_model_with_experts_bytes();

}  // namespace mirrorball::fuzz
