#pragma once

#include "mirrorball/table_source.h"
#include "report/findings.h"

namespace mirrorball::report {

/// Reads the data and finds everything; `other` may be null. Throws where the options, the models and the
/// data do not go together.
Findings find_in(const Model& model, const Model* other, TableSource& source, const ReportOptions& options);

/// The same of a table in memory.
Findings find_in(const Model& model, const Table& table, const ReportOptions& options);

}  // namespace mirrorball::report
