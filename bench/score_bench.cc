#include "base/random.h"
#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

/// 20,000 rows of 500 draws.
Predictive forecast() {
  Predictive made(rows_of(20000), 500, {"y"});
  Stream random(4, Purpose::kTest);
  for (std::size_t row = 0; row < made.rows(); ++row)
    for (double& draw : made.row_samples(row)) draw = random.normal();
  return made;
}

void crps_alone(benchmark::State& state) {
  const Predictive made = forecast();
  measure(state, {1, 0, static_cast<double>(made.rows())}, [&] {
    for (std::size_t row = 0; row < made.rows(); ++row)
      benchmark::DoNotOptimize(crps(made.row_samples(row), 0.3));
  });
}

void nll_alone(benchmark::State& state) {
  const Predictive made = forecast();
  const double y = 0.3;
  measure(state, {1, 0, static_cast<double>(made.rows())}, [&] {
    for (std::size_t row = 0; row < made.rows(); ++row)
      benchmark::DoNotOptimize(kde_nll(made.row_samples(row), {&y, 1}));
  });
}

/// All scores of the report at once.
void all_scores(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const Predictive made = forecast();
  const std::vector<double> observed(made.rows(), 0.3);
  measure(state, {threads, 0, static_cast<double>(made.rows())}, [&] {
    Scorer scorer({"y"}, {0.5, 0.9}, threads);
    scorer.add(made, observed);
    benchmark::DoNotOptimize(scorer.finish());
  });
}

BENCHMARK(crps_alone)->Name("score/crps")->Apply(usual);
BENCHMARK(nll_alone)->Name("score/nll")->Apply(usual);
BENCHMARK(all_scores)->Name("score/all")->Apply(usual)->Arg(1)->Arg(2);

}  // namespace
}  // namespace mirrorball::bench
