#include "device_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <numeric>
#include <string>
#include <thread>

#include "made.h"
#include "measure.h"
#include "plan/rules.h"
#include "program.h"
#include "train/ensemble.h"
#include "trainee.h"

namespace mirrorball::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Networks of the default ensemble.
constexpr unsigned kNetworks = 6;
/// Rows of a batch that fills a GPU.
constexpr std::size_t kLargeBatch = 4096;

struct Steps {
  net::NetShape shape;
  net::StepNoise noise;
  std::size_t batch;
  unsigned networks;
  bool bfloat;
  int count;  ///< that are queued before anybody waits: an ensemble waits for its networks ten times a second
};

/// Time of one step of all networks side by side, each queued by a thread of its own, as an ensemble trains.
void train_steps(benchmark::State& state, const engine::Engine& engine, const Steps& steps) {
  if (steps.bfloat && !engine.has_bfloat()) return state.SkipWithError("no products of bfloats here");
  const train::TrainingRows rows = training_rows(steps.shape, rows_of(50000));
  const auto threads = static_cast<unsigned>(
      std::min<std::size_t>(steps.networks, engine.networks_at_once(std::thread::hardware_concurrency())));
  std::vector<std::unique_ptr<Trainee>> networks;
  for (unsigned i = 0; i < steps.networks; ++i) {
    engine::TrainTask task = task_of(steps.shape, steps.noise, steps.batch, rows);
    task.network = i;
    task.bfloat = steps.bfloat;
    networks.push_back(std::make_unique<Trainee>(engine, task, 1));
  }
  ThreadPool pool(threads);
  const int count = short_run() ? 1 : steps.count;
  const auto pass = [&] {
    pool.run(networks.size(), [&](std::size_t i, unsigned) {
      for (int step = 0; step < count; ++step) (*networks[i])();
      networks[i]->wait();
    });
  };
  pass();  // the first one loads what the device runs
  const Clock::time_point start = Clock::now();
  while (state.KeepRunningBatch(count)) pass();
  const double seconds = seconds_since(start) / static_cast<double>(state.iterations());
  const double step_rows = static_cast<double>(steps.networks * steps.batch);
  state.counters["rows/s"] = step_rows / seconds;
  state.counters["GFLOP/s"] =
      1e-9 * steps.networks * step_flops(steps.shape, steps.noise, steps.batch) / seconds;
}

/// The networks' draws alone, from encoded rows in memory to draws in memory: 20,000 rows, 504 draws each.
void draw(benchmark::State& state, const engine::Engine& engine) {
  constexpr std::size_t kDraws = 84;  // of a network
  const net::NetShape shape = default_shape(kernels::Act::kRelu);
  const train::TrainingRows rows = training_rows(shape, rows_of(20000));
  std::vector<Buffer<float>> weights;
  std::vector<engine::NoisePoints> points(kNetworks, {kDraws, std::vector<float>(kDraws)});
  for (unsigned i = 0; i < kNetworks; ++i) {
    weights.push_back(net::initial_weights(shape, net::NetLayout(shape), {}, 1, i));
    for (std::size_t k = 0; k < kDraws; ++k)
      points[i].values[k] = (static_cast<float>(k) + 0.5f) / static_cast<float>(kDraws);
  }
  const std::unique_ptr<engine::DrawEngine> networks = engine.draw(shape, weights);
  const std::unique_ptr<engine::EmbeddedNoise> noise = networks->embed(points);
  std::vector<rows::RowNumber> which(rows.size());
  std::iota(which.begin(), which.end(), 0u);
  ThreadPool pool;
  const auto pass = [&] { benchmark::DoNotOptimize(networks->draw(*noise, rows, which, pool)); };
  pass();
  const Clock::time_point start = Clock::now();
  for (auto _ : state) pass();
  const double seconds = seconds_since(start) / static_cast<double>(state.iterations());
  const double draws = static_cast<double>(which.size() * kDraws * kNetworks);
  state.counters["rows/s"] = static_cast<double>(which.size()) / seconds;
  state.counters["draws/s"] = draws / seconds;
  state.counters["GFLOP/s"] = 1e-9 * draw_flops(shape, which.size() * kDraws * kNetworks) / seconds;
}

/// Mean, standard deviation and three quantiles of every row.
double summaries(const Predictive& samples, ThreadPool& pool) {
  constexpr std::array kLevels = {0.05, 0.5, 0.95};
  std::vector<double> sums(samples.rows());
  pool.run(samples.rows(), [&](std::size_t row, unsigned) {
    const std::vector<double> quantiles = samples.quantiles(kLevels, row);
    sums[row] = samples.mean(row) + samples.sd(row) + quantiles[0] + quantiles[1] + quantiles[2];
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// What a program asks for: from a table in memory to draws in the target's units, 20,000 rows, 500 draws
/// each, all of them from networks. Encoding, calibration and summaries are the CPU's.
void predict(benchmark::State& state, const engine::Engine& engine, bool summarised) {
  constexpr std::size_t kSamples = 500;
  const std::size_t count = rows_of(20000), block = rows_of(2000);
  Options options;
  options.epochs = 1;
  options.forest = options.gaussian_process = options.boosting = options.neighbours = 0;
  options.device = engine.name();
  Roles roles;
  roles.targets = {"y1"};
  const Model model = fit(table(2000, 1), roles, options);
  const Table rows = table(count, 1);
  ThreadPool pool;
  const auto pass = [&] {
    for (std::size_t begin = 0; begin < count; begin += block) {
      const Predictive samples = model.predict(rows, begin, begin + block,
                                               {.samples = kSamples, .seed = 0, .device = engine.name()});
      benchmark::DoNotOptimize(summarised ? summaries(samples, pool) : samples.row_samples(0)[0]);
    }
  };
  pass();
  const Clock::time_point start = Clock::now();
  for (auto _ : state) pass();
  const double seconds = seconds_since(start) / static_cast<double>(state.iterations());
  state.counters["rows/s"] = static_cast<double>(count) / seconds;
  state.counters["draws/s"] = static_cast<double>(count * kSamples) / seconds;
}

/// Twelve epochs of the default networks on ten million rows of 20 columns, which are made in memory: the
/// training of a fit, without reading and encoding. Whatever the device, it is over in seven minutes.
void large_training(benchmark::State& state, const engine::Engine& engine) {
  constexpr double kMostSeconds = 420;
  const std::size_t count = rows_of(rows_of(10000000));
  const net::NetShape shape = default_shape(kernels::Act::kRelu, 1, 20);
  const train::TrainingRows rows = training_rows(shape, count);
  Options options;
  options.networks = kNetworks;
  options.epochs = 12;
  options.patience = -1;
  const Plan plan = plan::make_plan(options, {.training_rows = rows.train.size(),
                                              .validation_rows = rows.valid.size(),
                                              .number_columns = shape.numbers,
                                              .bfloat = engine.bfloat_is_faster()});
  const net::StepNoise noise{static_cast<std::size_t>(plan.draws), plan.stratified,
                             static_cast<std::size_t>(plan.noise_table)};
  for (auto _ : state) {
    double share = 1;
    const Clock::time_point start = Clock::now();
    const auto trained = train::train_networks(
        shape, plan, rows, group::one_process(), std::thread::hardware_concurrency(),
        [&](const Progress& news) {
          share = news.share;
          return seconds_since(start) < kMostSeconds;
        },
        nullptr, engine);
    const double seconds = seconds_since(start);
    const bool whole = std::none_of(trained.begin(), trained.end(),
                                    [](const train::TrainedNetwork& one) { return one.history.stopped; });
    if (whole) share = 1;
    const double steps = share * plan.networks * plan.epochs * plan.steps_per_epoch;
    const double done = share * plan.networks * plan.epochs * static_cast<double>(rows.train.size());
    state.counters["rows/s"] = done / seconds;
    state.counters["GFLOP/s"] =
        1e-9 * steps * step_flops(shape, noise, static_cast<std::size_t>(plan.batch)) / seconds;
    state.SetLabel(whole ? fmt::format("batches of {}", plan.batch)
                         : fmt::format("batches of {}, ended after {:.1f}% of it", plan.batch, 100 * share));
  }
}

/// What goes wrong on a device is one line of the table.
template <class Body>
benchmark::internal::Benchmark* add(const std::string& name, const Body& body) {
  return benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) {
    try {
      body(state);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  });
}

/// Five times a fifth of a second: a GPU's clock is steady.
void quick(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  if (!short_run()) benchmark->MinTime(0.2);
}

/// Minutes: once.
void once(benchmark::internal::Benchmark* benchmark) {
  usual(benchmark);
  benchmark->Iterations(1)->Repetitions(1);
}

}  // namespace

void register_device_benches(const engine::Engine& engine) {
  const auto relu = kernels::Act::kRelu;
  const net::NetShape usual_net = default_shape(relu), paper = paper_shape(relu);
  const auto add_steps = [&](const std::string& name, const Steps& steps) {
    add("device/" + name, [&engine, steps](benchmark::State& state) {
      train_steps(state, engine, steps);
    })->Apply(quick);
  };
  add_steps("default_step", {usual_net, default_noise(), kDefaultBatch, kNetworks, engine.has_bfloat(), 100});
  add_steps("default_step_float32", {usual_net, default_noise(), kDefaultBatch, kNetworks, false, 100});
  add_steps("large_step", {usual_net, default_noise(), kLargeBatch, kNetworks, engine.has_bfloat(), 20});
  add_steps("large_step_float32", {usual_net, default_noise(), kLargeBatch, kNetworks, false, 20});
  add_steps("paper_step", {paper, kPaperNoise, kPaperBatch, 1, engine.has_bfloat(), 50});
  add_steps("paper_step_float32", {paper, kPaperNoise, kPaperBatch, 1, false, 50});
  add_steps("paper_step_table", {paper, kPaperGridNoise, kPaperBatch, 1, engine.has_bfloat(), 50});
  add("device/draw", [&engine](benchmark::State& state) { draw(state, engine); })->Apply(quick);
  add("device/predict", [&engine](benchmark::State& state) { predict(state, engine, false); })->Apply(quick);
  add("device/predict_summaries", [&engine](benchmark::State& state) {
    predict(state, engine, true);
  })->Apply(quick);
  add("device/fit_california", [&engine](benchmark::State& state) {
    fit_program(state, std::thread::hardware_concurrency(), engine.name());
  })->Apply(long_one);
  add("epoch/10_000_000_rows", [&engine](benchmark::State& state) {
    large_training(state, engine);
  })->Apply(once);
}

}  // namespace mirrorball::bench
