#pragma once

#include <string>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::cli {

/// One line per target on how its forecasts are corrected; none where they are not.
std::vector<std::string> calibration_words(const Model& model);

/// Numbers that enter by their value as well as by their rank.
std::vector<std::string> features_by_value(const Model& model);

}  // namespace mirrorball::cli
