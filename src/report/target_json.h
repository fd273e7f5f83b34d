#pragma once

#include "report/findings.h"
#include "report/json_numbers.h"

namespace mirrorball::report {

/// What was found about one target.
Json target_json(const Findings& found, std::size_t t);

}  // namespace mirrorball::report
