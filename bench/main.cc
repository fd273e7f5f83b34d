#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "built.h"
#include "device_bench.h"
#include "engine/device.h"
#include "measure.h"
#include "mirrorball/mirrorball.h"
#include "step_file.h"
#include "table_reporter.h"

namespace mirrorball::bench {
namespace {

/// Takes "--device NAME" out of the arguments; the CPU without it.
std::string take_device(int& argc, char** argv) {
  constexpr std::string_view kFlag = "--device";
  std::string device = "cpu";
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == kFlag && i + 1 < argc)
      device = argv[++i];
    else if (word.starts_with("--device="))
      device = word.substr(kFlag.size() + 1);
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  return device;
}

/// The engine for GPUs is looked for beside a program, and this one's folder is another.
const engine::Engine& engine_of(const std::string& device) {
  const std::string library = built_file("libmirrorball_cuda.so");
  if (std::filesystem::exists(library)) setenv("MIRRORBALL_CUDA", library.c_str(), 0);
  return *engine::choose_engine(device).engine;
}

/// On the CPU everything but what is for another device; there nothing else. Short runs on the CPU have both,
/// so that this code too runs where there is no GPU.
void choose_benches(const std::string& device) {
  const engine::Engine& engine = engine_of(device);
  const bool other = &engine != &engine::default_engine();
  if (other) benchmark::ClearRegisteredBenchmarks();
  if (other || short_run()) register_device_benches(engine);
  benchmark::AddCustomContext("device", engine.name());
  if (!other) return;
  for (const std::string& gpu : gpus().found)
    if (gpu.starts_with(engine.name() + " ")) benchmark::AddCustomContext("gpu", gpu);
}

int run(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--step_file") {
    write_step(argv[2]);
    return 0;
  }
  const std::string device = take_device(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  choose_benches(device);
  const Machine here = machine();
  benchmark::AddCustomContext("version", MIRRORBALL_VERSION);
  benchmark::AddCustomContext("compiler", MIRRORBALL_COMPILER);
  benchmark::AddCustomContext("cpu_level", here.cpu_level);
  benchmark::AddCustomContext("products", here.gemm);
  benchmark::AddCustomContext("threads", std::to_string(here.cores));
  TableReporter table;
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace mirrorball::bench

/// Google Benchmark with a table of our own. Takes its flags; the table goes to standard output.
/// "--device NAME" measures on a GPU; "--step_file PATH" instead writes a step for the PyTorch twins.
int main(int argc, char** argv) try {
  return mirrorball::bench::run(argc, argv);
} catch (const std::exception& error) {
  fmt::print(stderr, "mirrorball_bench: {}\n", error.what());
  return 2;
}
