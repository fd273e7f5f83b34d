#pragma once

#include "report/findings.h"
#include "report/json_numbers.h"

namespace mirrorball::report {

/// What was found about one target.
Json target_json(const Findings& found, std::size_t t);

/// Scores, each with the ends of its interval; without a distribution there is no 90% interval.
Json scores_json(const MeasuredScores& scores, bool distribution);
Json paired_json(const Paired& paired);
/// The verdict with its curve, to the digits that can be seen.
Json check_json(const CalibrationCheck& check);

}  // namespace mirrorball::report
