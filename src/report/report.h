#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/model.h"
#include "report/warnings.h"

namespace mirrorball {

struct ReportOptions {
  std::string title;                  ///< empty makes one of the names
  std::string model_name, data_name;  ///< as the reader knows them
  std::size_t rows = 20000;           ///< looked at, at most; more are sampled down. Drift is of all rows
  std::size_t explained = 100;  ///< rows whose Shapley values tell what drives forecasts; 0 leaves that out
  std::size_t samples = 500;    ///< draws per row
  std::uint64_t seed = 0;
  unsigned threads = 0;
  /// Gets the share of the work that is done and what is under way, on the calling thread.
  std::function<void(double share, const char* doing)> progress;
};

/// What a model knows of some data and how far it can be trusted.
struct Report {
  std::vector<std::string> summary;
  std::vector<Warning> warnings;
  std::string json;  ///< all numbers, as web/src/report/data.ts describes them
};

/// Works with and without the targets in `table`. The same input gives the same report, byte for byte.
Report make_report(const Model& model, const Table& table, const ReportOptions& options = {});

/// Whether the program was built with the page of a report.
bool has_report_page();

/// One self-contained HTML file. Throws std::runtime_error where the program was built without its pages.
std::string report_html(const Report& report);

}  // namespace mirrorball
