#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "kernels/cosine.h"
#include "kernels/energy_score.h"
#include "kernels/gemm.h"
#include "kernels/head.h"
#include "kernels/merge.h"
#include "kernels/portable_gemm.h"
#include "made.h"
#include "measure.h"

namespace mirrorball::bench {
namespace {

/// The kernels one by one on a tile as training has it: 128 rows (8 samples of 16 draws) of 128 units, one
/// thread. What they are and what they compute stands in src/kernels.
constexpr std::size_t kPieceRows = 128, kWidth = 128, kPieceDraws = 16;

struct Tile {
  Buffer<float> x{kPieceRows * kWidth}, w{kPieceRows * kWidth}, y{kPieceRows * kWidth},
      z{kPieceRows * kWidth}, bias{kWidth}, slope{kPieceRows * kWidth};
  std::vector<std::uint32_t> index = std::vector<std::uint32_t>(kPieceRows);

  Tile() {
    Stream random(3, Purpose::kTest);
    for (Buffer<float>* buffer : {&x, &w, &y, &z, &bias, &slope})
      for (float& value : *buffer) value = static_cast<float>(random.normal());
    for (std::uint32_t& row : index) row = random.below(kPieceRows);
  }
};

constexpr double kProduct = 2.0 * kPieceRows * kWidth * kWidth;

void product(benchmark::State& state) {
  Tile tile;
  const kernels::Gemm gemm = kernels::Gemm::forward(kPieceRows, kWidth, kWidth, kWidth, kWidth, kWidth);
  measure(state, {1, kProduct, kPieceRows}, [&] { gemm(tile.x.data(), tile.w.data(), tile.y.data()); });
}

void product_for_gradient(benchmark::State& state) {
  Tile tile;
  const kernels::Gemm gemm =
      kernels::Gemm::weight_gradient(kPieceRows, kWidth, kWidth, kWidth, kWidth, kWidth);
  measure(state, {1, kProduct, kPieceRows}, [&] { gemm(tile.x.data(), tile.w.data(), tile.y.data()); });
}

/// What runs where no code may be generated; the ceiling beside it is libxsmm's where that runs.
void portable_product(benchmark::State& state, bool gradient) {
  Tile tile;
  const kernels::PortableShape shape{
      kPieceRows, kWidth, kWidth, gradient ? 1 : kWidth, gradient ? kWidth : 1, kWidth, kWidth, gradient};
  measure(state, {1, kProduct, kPieceRows},
          [&] { kernels::portable_gemm(shape, tile.x.data(), tile.w.data(), tile.y.data()); });
}

void activation(benchmark::State& state, kernels::Act act) {
  Tile tile;
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::activate(act, tile.x.data(), tile.bias.data(),
                      kernels::keeps_derivative(act) ? tile.slope.data() : nullptr, kPieceRows, kWidth);
  });
}

void activation_back(benchmark::State& state, kernels::Act act) {
  Tile tile;
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::activate_backward(act, tile.x.data(), tile.y.data(), tile.slope.data(), tile.bias.data(),
                               kPieceRows, kWidth);
  });
}

void merging(benchmark::State& state) {
  Tile tile;
  const kernels::MergeShape shape{kPieceRows / kPieceDraws, kPieceDraws, kWidth, tile.index.data()};
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::merge(kernels::Merge::kMultiply, shape, tile.x.data(), tile.w.data(), tile.y.data());
  });
}

void merging_back(benchmark::State& state) {
  Tile tile;
  const kernels::MergeShape shape{kPieceRows / kPieceDraws, kPieceDraws, kWidth, tile.index.data()};
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::merge_backward(kernels::Merge::kMultiply, shape, tile.y.data(), tile.x.data(), tile.w.data(),
                            tile.slope.data(), tile.z.data());
  });
}

void output(benchmark::State& state) {
  Tile tile;
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::head({kPieceRows, kWidth, 1}, tile.x.data(), tile.w.data(), tile.bias.data(), tile.y.data());
  });
}

void output_back(benchmark::State& state) {
  Tile tile;
  measure(state, {1, 0, kPieceRows}, [&] {
    kernels::head_backward({kPieceRows, kWidth, 1}, tile.y.data(), tile.x.data(), tile.w.data(),
                           tile.z.data(), tile.slope.data(), tile.bias.data());
  });
}

void cosines(benchmark::State& state) {
  Tile tile;
  for (float& point : tile.x) point = 0.5f + 0.1f * std::min(4.0f, std::max(-4.0f, point));
  measure(state, {1, 0, kPieceRows},
          [&] { kernels::cosine_features(tile.x.data(), kPieceRows, 1, kWidth, tile.y.data(), kWidth); });
}

/// Rows here are rows of a table, each with its draws.
void energy_score(benchmark::State& state, std::size_t draws, std::size_t targets) {
  Tile tile;
  const kernels::EnergyScore score = kernels::EnergyScore::make(draws, targets, 1.0, false);
  std::vector<std::uint64_t> scratch;
  measure(state, {1, 0, 1}, [&] {
    benchmark::DoNotOptimize(score(tile.bias.data(), tile.x.data(), draws, 1.0f, tile.y.data(), scratch));
  });
}

/// The update of all parameters of a network, with the sum over four lanes.
void update(benchmark::State& state) {
  const net::NetLayout layout(default_shape(kernels::Act::kRelu));
  std::vector<Buffer<float>> buffers;
  for (int i = 0; i < 8; ++i) buffers.emplace_back(layout.size);
  const std::vector<const float*> lanes{buffers[0].data(), buffers[1].data(), buffers[2].data(),
                                        buffers[3].data()};
  measure(state, {1, 0, 0}, [&] {
    kernels::adam({1e-3f, 0.9f, 0.95f, 1, 1, 0.99f},
                  {buffers[4].data(), buffers[5].data(), buffers[6].data(), buffers[7].data()}, lanes, 0,
                  layout.size);
  });
}

BENCHMARK(product)->Name("kernel/product")->Apply(usual);
BENCHMARK(product_for_gradient)->Name("kernel/product_for_gradient")->Apply(usual);
BENCHMARK_CAPTURE(portable_product, forward, false)->Name("kernel/portable_product")->Apply(usual);
BENCHMARK_CAPTURE(portable_product, gradient, true)
    ->Name("kernel/portable_product_for_gradient")
    ->Apply(usual);
BENCHMARK_CAPTURE(activation, relu, kernels::Act::kRelu)->Name("kernel/relu")->Apply(usual);
BENCHMARK_CAPTURE(activation, tanh, kernels::Act::kTanh)->Name("kernel/tanh")->Apply(usual);
BENCHMARK_CAPTURE(activation, gcu, kernels::Act::kGcu)->Name("kernel/gcu")->Apply(usual);
BENCHMARK_CAPTURE(activation_back, relu, kernels::Act::kRelu)->Name("kernel/relu_back")->Apply(usual);
BENCHMARK_CAPTURE(activation_back, tanh, kernels::Act::kTanh)->Name("kernel/tanh_back")->Apply(usual);
BENCHMARK_CAPTURE(activation_back, gcu, kernels::Act::kGcu)->Name("kernel/gcu_back")->Apply(usual);
BENCHMARK(merging)->Name("kernel/merge")->Apply(usual);
BENCHMARK(merging_back)->Name("kernel/merge_back")->Apply(usual);
BENCHMARK(output)->Name("kernel/head")->Apply(usual);
BENCHMARK(output_back)->Name("kernel/head_back")->Apply(usual);
BENCHMARK(cosines)->Name("kernel/cosines")->Apply(usual);
BENCHMARK_CAPTURE(energy_score, n16, 16, 1)->Name("kernel/energy_score_16_draws")->Apply(usual);
BENCHMARK_CAPTURE(energy_score, n100, 100, 1)->Name("kernel/energy_score_100_draws")->Apply(usual);
BENCHMARK_CAPTURE(energy_score, n16d3, 16, 3)->Name("kernel/energy_score_16_draws_3d")->Apply(usual);
BENCHMARK(update)->Name("kernel/adam")->Apply(usual);

}  // namespace
}  // namespace mirrorball::bench
