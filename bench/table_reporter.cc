#include "table_reporter.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>

namespace mirrorball::bench {
namespace {

/// 1234567 as "1.23 M".
std::string rate(double value) {
  if (value >= 1e6) return fmt::format("{:.2f} M", value * 1e-6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value * 1e-3);
  return fmt::format("{:.1f}", value);
}

/// GFLOP/s, those of a GPU as "71.3 T".
std::string flops(double value) {
  return value >= 1e4 ? fmt::format("{:.1f} T", value * 1e-3) : fmt::format("{:.1f}", value);
}

std::string time(double ms) {
  if (ms >= 1e4) return fmt::format("{:.1f} s", ms * 1e-3);
  if (ms >= 1) return fmt::format("{:.2f} ms", ms);
  return fmt::format("{:.2f} us", ms * 1e3);
}

}  // namespace

bool TableReporter::ReportContext(const Context&) {
  GetOutputStream() << fmt::format("{:<34} {:>7} {:>11} {:>9} {:>9} {:>10}  {}\n", "benchmark", "threads",
                                   "time", "GFLOP/s", "ceiling", "rows/s", "");
  return true;
}

void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.error_occurred) {
      GetOutputStream() << fmt::format("{:<34} {}\n", run.run_name.function_name, run.error_message);
      continue;
    }
    const bool repeated = run.repetitions > 1;
    if (repeated != (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")) continue;
    const auto counter = [&](const char* name) -> std::optional<double> {
      const auto found = run.counters.find(name);
      return found == run.counters.end() ? std::nullopt : std::optional(double(found->second));
    };
    const auto text = [&](const char* name, auto form) {
      const std::optional<double> value = counter(name);
      return value ? form(*value) : std::string("-");
    };
    const std::string share = text("share", [](double v) { return fmt::format("{:.0f}%", 100 * v); });
    std::string notes = run.report_label;
    const auto note = [&](const char* name, const std::string& words) {
      if (counter(name)) notes += (notes.empty() ? "" : ", ") + words;
    };
    note("peak MB", fmt::format("{:.0f} MB at the peak", counter("peak MB").value_or(0)));
    note("draws/s", rate(counter("draws/s").value_or(0)) + " draws/s");
    GetOutputStream() << fmt::format(
        "{:<34} {:>7} {:>11} {:>9} {:>9} {:>10}  {}\n", run.run_name.function_name,
        text("threads", [](double v) { return fmt::format("{:.0f}", v); }),
        time(run.GetAdjustedRealTime() * 1e3 / benchmark::GetTimeUnitMultiplier(run.time_unit)),
        text("GFLOP/s", flops), share, text("rows/s", rate), notes);
    GetOutputStream().flush();
  }
}

}  // namespace mirrorball::bench
