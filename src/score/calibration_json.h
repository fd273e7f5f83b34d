#pragma once

#include <nlohmann/json.hpp>

#include "mirrorball/score.h"

namespace mirrorball::scoring {

/// The verdict and its numbers, as `score --json`, the report and Python have them; `curve` adds the levels.
nlohmann::ordered_json calibration_json(const CalibrationCheck& check, bool curve);

}  // namespace mirrorball::scoring
