#pragma once

#include <benchmark/benchmark.h>

namespace mirrorball::bench {

/// One line per benchmark as soon as it is done: the medians of its repetitions.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
};

}  // namespace mirrorball::bench
