#include <memory>

#include "made.h"
#include "measure.h"
#include "trainee.h"

namespace mirrorball::bench {
namespace {

constexpr std::size_t kRows = 5000;

bool lacks_bfloat(benchmark::State& state, bool bfloat) {
  if (!bfloat || engine::default_engine().has_bfloat()) return false;
  state.SkipWithError("this CPU has no products of bfloats");
  return true;
}

/// One network, as the paper has it: the threads share its step.
void paper_step(benchmark::State& state, kernels::Act act, net::StepNoise noise, bool bfloat) {
  if (lacks_bfloat(state, bfloat)) return;
  const auto threads = static_cast<unsigned>(state.range(0));
  const net::NetShape shape = paper_shape(act);
  const train::TrainingRows rows = training_rows(shape, kRows);
  engine::TrainTask task = task_of(shape, noise, kPaperBatch, rows);
  task.bfloat = bfloat;
  Trainee network(engine::default_engine(), task, threads);
  measure(state, {threads, step_flops(shape, noise, kPaperBatch), kPaperBatch}, [&] { network(); });
}

/// Networks of the default options, as an ensemble trains: one on every thread, a step of each.
void default_step(benchmark::State& state, kernels::Act act, bool bfloat) {
  if (lacks_bfloat(state, bfloat)) return;
  const auto threads = static_cast<unsigned>(state.range(0));
  const net::NetShape shape = default_shape(act);
  const net::StepNoise noise = default_noise();
  const train::TrainingRows rows = training_rows(shape, kRows);
  engine::TrainTask task = task_of(shape, noise, kDefaultBatch, rows);
  task.bfloat = bfloat;
  ThreadPool pool(threads);
  std::vector<std::unique_ptr<Trainee>> networks;
  for (unsigned i = 0; i < threads; ++i)
    networks.push_back(std::make_unique<Trainee>(engine::default_engine(), task, 1));
  const Work work{threads, threads * step_flops(shape, noise, kDefaultBatch),
                  double(threads * kDefaultBatch)};
  // Some steps at a time: networks wait for each other here, but not in an ensemble.
  constexpr int kSteps = 10;
  measure(state, {work.threads, kSteps * work.flops, kSteps * work.rows}, [&] {
    pool.run(threads, [&](std::size_t i, unsigned) {
      for (int step = 0; step < kSteps; ++step) (*networks[i])();
    });
  });
}

BENCHMARK_CAPTURE(paper_step, relu, kernels::Act::kRelu, kPaperNoise, false)->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(paper_step, tanh, kernels::Act::kTanh, kPaperNoise, false)->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(paper_step, relu_grid_bfloat16, kernels::Act::kRelu, kPaperGridNoise, true)
    ->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(paper_step, tanh_grid_bfloat16, kernels::Act::kTanh, kPaperGridNoise, true)
    ->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(default_step, relu, kernels::Act::kRelu, false)->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(default_step, tanh, kernels::Act::kTanh, false)->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(default_step, relu_bfloat16, kernels::Act::kRelu, true)->Apply(one_and_two_threads);
BENCHMARK_CAPTURE(default_step, tanh_bfloat16, kernels::Act::kTanh, true)->Apply(one_and_two_threads);

}  // namespace
}  // namespace mirrorball::bench
