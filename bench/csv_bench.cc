#include <filesystem>
#include <fstream>

#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

/// Reading a CSV of 500,000 rows and 20 columns from the page cache.
void read_csv(benchmark::State& state) {
  const std::size_t rows = rows_of(500000);
  const auto threads = static_cast<unsigned>(state.range(0));
  const std::string path = (std::filesystem::temp_directory_path() / "mirrorball_bench.csv").string();
  {
    std::ofstream out(path);
    table(rows, 1, 19).write_csv(out);
    if (!out) return state.SkipWithError(("cannot write " + path).c_str());
  }
  ReadOptions options;
  options.threads = threads;
  measure(state, {threads, 0, static_cast<double>(rows)},
          [&] { benchmark::DoNotOptimize(Table::read(path, options)); });
  state.counters["MB"] = static_cast<double>(std::filesystem::file_size(path)) * 1e-6;
  std::filesystem::remove(path);
}

BENCHMARK(read_csv)->Name("read_csv")->Apply(usual)->Arg(1)->Arg(2);

}  // namespace
}  // namespace mirrorball::bench
