#pragma once

#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::report {

/// Training quantiles of a target from 5% to 95%, as round numbers: "above 230,000" is a question, "above
/// 232,110" none. A value that is repeated often stays, because a little less is another question.
std::vector<double> round_thresholds(const ColumnSchema& target);

}  // namespace mirrorball::report
