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
  constexpr std::size_t kSamples = 500;
  const std::size_t count = rows_of(20000), block = rows_of(2000);
  const auto threads = static_cast<unsigned>(state.range(0));
  const Model model = quick_model(targets);
  const Table rows = table(count, targets);
  const Work work{threads, draw_flops(default_shape(kernels::Act::kRelu), count * kSamples),
                  static_cast<double>(count)};
  measure(state, work, [&] {
    // In blocks, as the program does: memory does not grow with the rows.
    for (std::size_t begin = 0; begin < count; begin += block)
      benchmark::DoNotOptimize(
          model.predict(rows, begin, begin + block, {.samples = kSamples, .seed = 0, .threads = threads}));
  });
}

BENCHMARK_CAPTURE(predict, one_target, 1)->Apply(one_and_two_threads)->Repetitions(short_run() ? 1 : 3);
BENCHMARK_CAPTURE(predict, three_targets, 3)->Apply(one_and_two_threads)->Repetitions(short_run() ? 1 : 3);

}  // namespace
}  // namespace mirrorball::bench
