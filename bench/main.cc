#include <benchmark/benchmark.h>

#include <string_view>

#include "mirrorball/mirrorball.h"
#include "step_file.h"
#include "table_reporter.h"

/// Google Benchmark with a table of our own. Takes its flags; the table goes to standard output.
/// "--step_file PATH" instead writes one step for the PyTorch twin.
int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--step_file") {
    mirrorball::bench::write_step(argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const mirrorball::Machine here = mirrorball::machine();
  benchmark::AddCustomContext("version", MIRRORBALL_VERSION);
  benchmark::AddCustomContext("compiler", MIRRORBALL_COMPILER);
  benchmark::AddCustomContext("cpu_level", here.cpu_level);
  benchmark::AddCustomContext("products", here.gemm);
  benchmark::AddCustomContext("threads", std::to_string(here.cores));
  mirrorball::bench::TableReporter table;
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
}
