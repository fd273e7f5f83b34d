#pragma once

#include <string>
#include <vector>

#include "report/findings.h"

namespace mirrorball::report {

/// How good the model is and where it is not, in a few plain sentences; the first are about the targets.
std::vector<std::string> summary(const Findings& found);

}  // namespace mirrorball::report
