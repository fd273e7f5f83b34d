#pragma once

#include <string>

#include "mirrorball/model.h"

namespace mirrorball::fuzz {

/// A model with a bit of everything that loads in a fraction of a millisecond: features a (dates), b (numbers
/// with missing values) and kind (categories), targets y and "z 2", a forest, calibration. Always the same.
Model small_model();

/// The same file as every other time, as bytes.
const std::string& small_model_bytes();

}  // namespace mirrorball::fuzz
