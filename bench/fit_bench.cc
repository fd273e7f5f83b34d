#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "built.h"
#include "made.h"
#include "measure.h"
#include "plan/rules.h"
#include "program.h"
#include "train/ensemble.h"

extern char** environ;

namespace mirrorball::bench {
namespace {

namespace fs = std::filesystem;

/// Cost of an epoch for tables of ten thousand to a million rows of 20 columns: two networks, side by side; a
/// million rows trained on in all. Rows a second should not depend on the size.
void epochs(benchmark::State& state) {
  const std::size_t count = rows_of(static_cast<std::size_t>(state.range(0)));
  const net::NetShape shape = default_shape(kernels::Act::kRelu, 1, 20);
  const train::TrainingRows rows = training_rows(shape, count);
  Options options;
  options.networks = 2;
  options.epochs = static_cast<int>(rows_of(1000000) / count);
  options.patience = -1;
  options.batch = kDefaultBatch;
  const Plan plan = plan::make_plan(options, {.training_rows = rows.train.size(),
                                              .validation_rows = rows.valid.size(),
                                              .number_columns = shape.numbers,
                                              .bfloat = engine::default_engine().bfloat_is_faster()});
  const double trained = 2.0 * options.epochs * static_cast<double>(rows.train.size());
  const double flops = trained / kDefaultBatch * step_flops(shape, default_noise(), kDefaultBatch);
  measure(state, {2, flops, trained}, [&] {
    benchmark::DoNotOptimize(train::train_networks(shape, plan, rows, group::one_process(), 2, {}));
  });
}

/// California, where MIRRORBALL_DATA names the folder it is in; else a made table of the same size.
struct HouseTable {
  std::string path, target, made;

  HouseTable() {
    const char* folder = std::getenv("MIRRORBALL_DATA");
    path = folder ? (fs::path(folder) / "california.csv.gz").string() : "";
    target = "MedHouseVal";
    if (folder && fs::exists(path) && !short_run()) return;
    path = made = (fs::temp_directory_path() / "mirrorball_bench_houses.csv").string();
    target = "y1";
    std::ofstream out(path);
    table(rows_of(20640), 1).write_csv(out);
  }
  ~HouseTable() {
    if (!made.empty()) fs::remove(made);
  }
};

/// Peak memory of a process so far in MB, as the system counts it for the program it runs now. What wait4
/// says would count the parent's memory too, from before the program was loaded.
double peak_memory(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

/// A fit that takes longer is stuck.
constexpr auto kMostTime = std::chrono::minutes(10);

/// Runs the program; its peak memory in MB, or -1.
double run_program(std::vector<std::string> arguments) {
  const std::string program = built_file("mirrorball");
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0) return -1;
  int status = 0;
  double peak = 0;
  const auto start = std::chrono::steady_clock::now();
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - start > kMostTime) kill(child, SIGKILL);
    peak = std::max(peak, peak_memory(child));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return status == 0 ? peak : -1;
}

void fit_california(benchmark::State& state) {
  fit_program(state, static_cast<unsigned>(state.range(0)), "cpu");
}

BENCHMARK(epochs)->Name("epoch/10_000_rows")->Apply(long_one)->Arg(10000);
BENCHMARK(epochs)->Name("epoch/100_000_rows")->Apply(long_one)->Arg(100000);
BENCHMARK(epochs)->Name("epoch/1_000_000_rows")->Apply(long_one)->Arg(1000000);
BENCHMARK(fit_california)->Name("fit/california")->Apply(long_one)->Arg(1)->Arg(2);

}  // namespace

void fit_program(benchmark::State& state, unsigned threads, const std::string& device) {
  const HouseTable houses;
  const std::string model = (fs::temp_directory_path() / "mirrorball_bench.mirrorball").string();
  double peak = 0;
  measure(state, {threads, 0, static_cast<double>(rows_of(20640))}, [&] {
    peak = run_program({"fit", houses.path, "--target", houses.target, "--out", model, "--quiet", "--threads",
                        std::to_string(threads), "--device", device});
  });
  if (peak < 0) return state.SkipWithError("the fit failed");
  state.counters["peak MB"] = peak;
  if (!houses.made.empty()) state.SetLabel("made table");
  fs::remove(model);
}

}  // namespace mirrorball::bench
