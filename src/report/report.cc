#include "report/report.h"

#include "base/error.h"
#include "pages/pages.h"
#include "report/comparison_words.h"
#include "report/read_findings.h"
#include "report/report_json.h"
#include "report/summary.h"

namespace mirrorball::report {
namespace {

/// The page holds an empty place for its numbers.
constexpr std::string_view kPlace = "<script type=\"application/json\" id=\"report\">null</script>";

Report write(const Findings& found, const ReportOptions& options) {
  Report report;
  report.summary = summary(found);
  report.comparison = comparison_words(found, options);
  report.warnings = warnings(found);
  report.json = report_json(found, report, options);
  if (options.progress) options.progress(1, "writing");
  return report;
}

}  // namespace

Report make_report(const Model& model, TableSource& source, const ReportOptions& options) {
  return write(find_in(model, nullptr, source, options), options);
}

Report make_report(const Model& model, const Model& other, TableSource& source,
                   const ReportOptions& options) {
  return write(find_in(model, &other, source, options), options);
}

Report make_report(const Model& model, const Table& table, const ReportOptions& options) {
  return write(find_in(model, table, options), options);
}

bool has_report_page() { return report_page().find(kPlace) != std::string_view::npos; }

std::string report_html(const Report& report) {
  const std::string_view page = report_page();
  const std::size_t at = page.find(kPlace);
  if (at == page.npos)
    system_failure(
        "this program was built without its web pages: rebuild it with `make` (needs Node and npm), or use "
        "--json to write only the numbers");
  const std::size_t null = at + kPlace.find("null");
  std::string text(page.substr(0, null));
  text.reserve(page.size() + report.json.size() + 64);
  for (char c : report.json) c == '<' ? text += "\\u003c" : text += c;  // no cell can end the script
  text += page.substr(null + 4);
  return text;
}

}  // namespace mirrorball::report
