#include "kernels/level.h"
#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

/// A whole training step: gradient and update.
void step(benchmark::State& state, NetShape shape, NoisePlan noise, bool bfloat) {
  if (bfloat && !cpu_level().bfloat) return state.SkipWithError("this CPU has no products of bfloats");
  const auto threads = static_cast<unsigned>(state.range(0));
  const NetLayout layout(shape);
  const TrainingRows rows = training_rows(shape, 5000);
  ThreadPool pool(threads);
  TrainStep train(shape, layout, noise, EnergyScore::make(noise.draws, 1, 1.0, false), kBatch, pool, bfloat);
  Buffer<float> weights = initial_weights(shape, layout, {.init_sd = 0}, 1, 0), mean(layout.size),
                square(layout.size), average(layout.size);
  std::vector<std::uint32_t> batch(kBatch);
  std::uint32_t done = 0;
  const Work work{threads, step_flops(shape, noise, kBatch), kBatch};
  measure(state, work, [&] {
    for (std::size_t i = 0; i < kBatch; ++i)
      batch[i] = static_cast<std::uint32_t>((done * kBatch + i) * 7919 % rows.weights.size());
    train.gradient(rows, batch, weights.data(), {1, 0, done++});
    train.update({1e-4f, 0.9f, 0.95f, 1.0f, 1.0f, 0.99f},
                 {weights.data(), mean.data(), square.data(), average.data()});
  });
}

void both(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  benchmark->Arg(1)->Arg(2)->ArgName("threads");
}

BENCHMARK_CAPTURE(step, paper_relu, paper_shape(Act::kRelu), kPaperNoise, false)->Apply(both);
BENCHMARK_CAPTURE(step, paper_tanh, paper_shape(Act::kTanh), kPaperNoise, false)->Apply(both);
BENCHMARK_CAPTURE(step, paper_relu_grid_bfloat16, paper_shape(Act::kRelu), kPaperGridNoise, true)
    ->Apply(both);
BENCHMARK_CAPTURE(step, paper_tanh_grid_bfloat16, paper_shape(Act::kTanh), kPaperGridNoise, true)
    ->Apply(both);
BENCHMARK_CAPTURE(step, default_relu, default_shape(Act::kRelu), default_noise(), false)->Apply(both);
BENCHMARK_CAPTURE(step, default_tanh, default_shape(Act::kTanh), default_noise(), false)->Apply(both);
BENCHMARK_CAPTURE(step, default_relu_bfloat16, default_shape(Act::kRelu), default_noise(), true)->Apply(both);
BENCHMARK_CAPTURE(step, default_tanh_bfloat16, default_shape(Act::kTanh), default_noise(), true)->Apply(both);

}  // namespace
}  // namespace mirrorball::bench
