#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

Model quick_model(std::size_t targets) {
  Options options;
  options.epochs = 1;
  options.forest = 0;
  Roles roles;
  for (std::size_t t = 0; t < targets; ++t) roles.targets.push_back("y" + std::to_string(t + 1));
  return fit(table(500, targets), roles, options);
}

/// Everything from a table in memory to calibrated draws in the targets' units: 20,000 rows, 500 draws each,
/// all of them from networks.
void predict(benchmark::State& state, std::size_t targets) {
  constexpr std::size_t kRows = 20000, kDraws = 500;
  const auto threads = static_cast<unsigned>(state.range(0));
  const Model model = quick_model(targets);
  const Table rows = table(kRows, targets);
  const Work work{threads, draw_flops(default_shape(Act::kRelu), kRows * kDraws), kRows};
  measure(state, work, [&] {
    // In blocks, as the program does: memory does not grow with the rows.
    for (std::size_t begin = 0; begin < kRows; begin += 2000)
      benchmark::DoNotOptimize(
          model.predict(rows, begin, begin + 2000, {.samples = kDraws, .seed = 0, .threads = threads}));
  });
}

void both(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  benchmark->Arg(1)->Arg(2)->ArgName("threads")->Repetitions(3);
}

BENCHMARK_CAPTURE(predict, one_target, 1)->Apply(both);
BENCHMARK_CAPTURE(predict, three_targets, 3)->Apply(both);

}  // namespace
}  // namespace mirrorball::bench
