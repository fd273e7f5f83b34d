#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"
#include "report/report_options.h"
#include "report/warnings.h"

namespace mirrorball::report {

/// What a model knows of some data and how far it can be trusted.
struct Report {
  std::vector<std::string> summary;
  std::vector<std::string> comparison;  ///< of two models: one text per target
  std::vector<Warning> warnings;
  std::string json;  ///< all numbers, as web/src/report/data.ts describes them
};

/// Works with and without the targets in the table, of which no more than a block and the rows looked at are
/// held at a time. The same input gives the same report, byte for byte.
Report make_report(const Model& model, TableSource& source, const ReportOptions& options = {});
Report make_report(const Model& model, const Table& table, const ReportOptions& options = {});

/// The report of a model that is compared with another one of the same targets.
Report make_report(const Model& model, const Model& other, TableSource& source,
                   const ReportOptions& options = {});

/// Whether the program was built with the page of a report.
bool has_report_page();

/// One self-contained HTML file. Throws std::runtime_error where the program was built without its pages.
std::string report_html(const Report& report);

}  // namespace mirrorball::report
