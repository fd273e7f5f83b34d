#pragma once

#include <string>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"
#include "report/report_options.h"

namespace mirrorball::report {

/// Two models on the same rows, for a terminal and for programs.
struct Compared {
  std::string text, json;
};

Compared compare(const Model& first, const Model& second, TableSource& source, const ReportOptions& options);

}  // namespace mirrorball::report
