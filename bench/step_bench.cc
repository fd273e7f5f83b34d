#include <memory>

#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

/// A network in training: every call is a whole step, gradient and update.
class Trainee {
 public:
  Trainee(const net::NetShape& shape, const net::StepNoise& noise, std::size_t batch, unsigned threads,
          bool bfloat)
      : pool_(threads), rows_(training_rows(shape, 5000)), batch_(batch) {
    engine::TrainTask task = task_of(shape, noise, batch, rows_);
    task.bfloat = bfloat;
    network_ = engine::default_engine().train(
        task, net::initial_weights(shape, net::NetLayout(shape), {}, 1, 0), pool_);
  }

  void operator()() {
    for (rows::RowNumber& row : batch_)
      row = (place_ += 7919) % static_cast<rows::RowNumber>(rows_.weights.size());
    network_->step(batch_, done_++, {1e-4f, 0.9f, 0.95f, 1.0f, 1.0f, 0.99f});
  }

 private:
  ThreadPool pool_;
  train::TrainingRows rows_;
  std::unique_ptr<engine::TrainEngine> network_;
  std::vector<rows::RowNumber> batch_;
  rows::RowNumber place_ = 0;
  std::uint32_t done_ = 0;
};

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
  Trainee network(shape, noise, kPaperBatch, threads, bfloat);
  measure(state, {threads, step_flops(shape, noise, kPaperBatch), kPaperBatch}, [&] { network(); });
}

/// Networks of the default options, as an ensemble trains: one on every thread, a step of each.
void default_step(benchmark::State& state, kernels::Act act, bool bfloat) {
  if (lacks_bfloat(state, bfloat)) return;
  const auto threads = static_cast<unsigned>(state.range(0));
  const net::NetShape shape = default_shape(act);
  const net::StepNoise noise = default_noise();
  ThreadPool pool(threads);
  std::vector<std::unique_ptr<Trainee>> networks;
  for (unsigned i = 0; i < threads; ++i)
    networks.push_back(std::make_unique<Trainee>(shape, noise, kDefaultBatch, 1, bfloat));
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
