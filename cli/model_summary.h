#pragma once

#include <string>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball::cli {

/// How the samples of each target are calibrated, a line each; none where they are not.
std::vector<std::string> calibration_lines(const Model& model);

/// Numbers that enter by their value as well as by their rank.
std::vector<std::string> features_by_value(const Model& model);

}  // namespace mirrorball::cli
