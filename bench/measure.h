#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>

#include "ceiling.h"

namespace mirrorball::bench {

/// What one pass of a benchmark does, as far as it can be counted.
struct Work {
  unsigned threads = 1;
  double flops = 0;  ///< of the matrix products; 0: not compared with the ceiling
  double rows = 0;
};

/// Times `pass`, with the ceiling of the products taken right before.
template <class Pass>
void measure(benchmark::State& state, const Work& work, Pass pass) {
  const double ceiling = work.flops > 0 ? gemm_ceiling(work.threads) : 0;
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) pass();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                         static_cast<double>(state.iterations());
  state.counters["threads"] = work.threads;
  if (work.rows > 0) state.counters["rows/s"] = work.rows / seconds;
  if (work.flops == 0) return;
  state.counters["GFLOP/s"] = 1e-9 * work.flops / seconds;
  state.counters["ceiling"] = ceiling;
  state.counters["share"] = 1e-9 * work.flops / seconds / ceiling;
}

/// Whether everything runs once and small, which shows that it runs and measures nothing (`tools/bench
/// --short`).
inline bool short_run() {
  static const bool asked = std::getenv("MIRRORBALL_BENCH_SHORT") != nullptr;
  return asked;
}

/// Rows of a measurement, a hundredth of them in a short run.
inline std::size_t rows_of(std::size_t full) { return short_run() ? full / 100 : full; }

/// Wall-clock time, five times; the table shows the medians.
inline void usual(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseRealTime()->Repetitions(short_run() ? 1 : 5)->Unit(benchmark::kMillisecond);
  if (short_run()) benchmark->Iterations(1);
}

/// The same with one thread and with two.
inline void one_and_two_threads(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  benchmark->Arg(1)->Arg(2)->ArgName("threads");
}

/// For what takes seconds: three times, one pass each.
inline void long_one(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  benchmark->Iterations(1)->Repetitions(short_run() ? 1 : 3);
}

}  // namespace mirrorball::bench
