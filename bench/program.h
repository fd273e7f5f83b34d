#pragma once

#include <benchmark/benchmark.h>

#include <string>

namespace mirrorball::bench {

/// `mirrorball fit` of California housing with default options and these flags, as a user starts it, from the
/// file to the saved model: seconds and peak memory.
void fit_program(benchmark::State& state, unsigned threads, const std::string& device);

}  // namespace mirrorball::bench
