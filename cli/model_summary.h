#pragma once

#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "paint.h"

namespace mirrorball::cli {

/// How the samples of each target are calibrated, a line each; none where they are not.
std::vector<std::string> calibration_lines(const Model& model);

/// The error on held-out rows, a few lines; one that says why there is none.
std::vector<std::string> fit_report_lines(const Model& model, const Paint& paint);

/// Numbers that enter by their value as well as by their rank.
std::vector<std::string> features_by_value(const Model& model);

}  // namespace mirrorball::cli
