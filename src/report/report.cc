#include "report/report.h"

#include "base/error.h"
#include "pages/pages.h"
#include "report/report_json.h"
#include "report/summary.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kFewestDraws = 20;  ///< one in 20 lies below a 90% interval, one above
/// The page holds an empty place for its numbers.
constexpr std::string_view kPlace = "<script type=\"application/json\" id=\"report\">null</script>";

void check_options(const ReportOptions& options) {
  if (options.rows == 0) bad_input("0 rows are to be looked at: at least 1 is needed");
  if (options.samples < kFewestDraws)
    bad_input("{} draws of a row are too few for its 90% interval: a report needs at least {}",
              options.samples, kFewestDraws);
}

Report write(const Model& model, DataPass& data, const std::string& name, const ReportOptions& options) {
  if (data.rows() == 0)
    bad_input("{} has no rows: a report needs at least 1", name.empty() ? "the table" : name);
  const Findings found = find(model, data, options);
  Report report;
  report.summary = summary(found);
  report.warnings = warnings(found);
  report.json = report_json(found, report, options);
  if (options.progress) options.progress(1, "writing");
  return report;
}

}  // namespace

Report make_report(const Model& model, TableSource& source, const ReportOptions& options) {
  check_options(options);
  DataPass data(model, options);
  while (const std::optional<Table> block = source.next()) data.add(*block);
  return write(model, data, source.name(), options);
}

Report make_report(const Model& model, const Table& table, const ReportOptions& options) {
  check_options(options);
  DataPass data(model, options);
  if (table.rows() > 0) data.add(table);
  return write(model, data, table.source(), options);
}

bool has_report_page() { return report_page().find(kPlace) != std::string_view::npos; }

std::string report_html(const Report& report) {
  const std::string_view page = report_page();
  const std::size_t at = page.find(kPlace);
  if (at == page.npos)
    system_failure(
        "this program was built without its pages: build it with `make`, which needs Node and npm, or write "
        "the numbers alone with --json");
  const std::size_t null = at + kPlace.find("null");
  std::string text(page.substr(0, null));
  text.reserve(page.size() + report.json.size() + 64);
  for (char c : report.json) c == '<' ? text += "\\u003c" : text += c;  // no cell can end the script
  text += page.substr(null + 4);
  return text;
}

}  // namespace mirrorball::report
