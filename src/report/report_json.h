#pragma once

#include <string>

#include "report/report.h"

namespace mirrorball::report {

/// The numbers of a report, with the digits that can be seen.
std::string report_json(const Findings& found, const Report& words, const ReportOptions& options);

}  // namespace mirrorball::report
