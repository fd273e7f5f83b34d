#pragma once

#include <string>

#include "mirrorball/score.h"

namespace mirrorball::scoring {

/// The verdict in words: how large the error is, whether chance explains it, what kind it is.
std::string calibration_words(const CalibrationCheck& check);

/// The number behind the verdict: "55.9% of the outcomes lie below the median".
std::string calibration_evidence(const CalibrationCheck& check);

/// The shape as a title: "biased: too high", "too narrow", ….
std::string shape_title(const CalibrationCheck& check);

}  // namespace mirrorball::scoring
