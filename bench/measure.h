#pragma once

#include <benchmark/benchmark.h>

#include <chrono>

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

/// Wall-clock time, five times; the table shows the medians.
inline void usual(benchmark::internal::Benchmark* benchmark) {
  benchmark->UseRealTime()->Repetitions(5)->Unit(benchmark::kMillisecond);
}

}  // namespace mirrorball::bench
