#pragma once

#include <string>
#include <vector>

#include "report/findings.h"

namespace mirrorball::report {

/// Which of two models is better at each target, by how much, and where; nothing without a second model.
std::vector<std::string> comparison_words(const Findings& found, const ReportOptions& options);

}  // namespace mirrorball::report
