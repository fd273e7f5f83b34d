#include "engine/cpu/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "net/noise_points.h"
#include "reference/slow_network.h"
#include "rows/memory_rows.h"

namespace mirrorball {
namespace {

// From several rows to a tile up to several tiles to a row; ReLU leaves units out where a tile is one row.
TEST(Sampler, DrawsAreThoseOfTheSlowNetwork) {
  for (Network network : {Network::kDnPlus, Network::kDisco})
    for (kernels::Act act : {kernels::Act::kRelu, kernels::Act::kTanh})
      for (std::size_t draws : {3u, 85u, 86u, 300u}) {
        net::NetShape shape;
        shape.network = network;
        shape.numbers = 3;
        shape.codes = 2;
        shape.learned_rows = 5;
        shape.waves = 4;
        shape.targets = 2;
        shape.width = 37;
        shape.noise_dim = 2;
        shape.cosines = 12;
        shape.act = act;
        const net::NetLayout layout(shape);
        const Buffer<float> weights = net::initial_weights(shape, layout, {.init_sd = 0.3}, 3, 0);
        Stream random(5, Purpose::kTest);
        rows::EncodedRows rows(20, shape.numbers, shape.codes);
        for (float& value : rows.numbers) value = static_cast<float>(random.normal());
        for (std::int32_t& code : rows.codes) code = static_cast<std::int32_t>(random.below(6)) - 1;
        std::vector<float> points(draws * shape.noise_dim);
        net::independent_points(random, points);
        std::vector<rows::RowNumber> which(rows.rows);
        std::iota(which.begin(), which.end(), 0u);
        std::vector<float> found(rows.rows * shape.targets * draws);
        ThreadPool pool(2);
        engine::NetSampler sampler(shape, layout, draws, pool);
        const Buffer<float> noise = engine::embed_noise(shape, layout, weights.data(), points, draws);
        sampler.run(weights.data(), noise.data(), rows::InputRows(rows), which,
                    [&](std::size_t row, const float* y, unsigned) {
                      std::copy_n(y, shape.targets * draws, found.data() + row * shape.targets * draws);
                    });
        const std::vector<double> exact(weights.begin(), weights.end());
        for (std::size_t row = 0; row < rows.rows; ++row)
          for (std::size_t i = 0; i < draws; i += 1 + draws / 20) {
            const std::vector<double> slow =
                slow::forward(shape, layout, exact, rows.numbers.span().subspan(row * 3, 3),
                              rows.codes.span().subspan(row * 2, 2),
                              std::span(points).subspan(i * shape.noise_dim, shape.noise_dim));
            for (std::size_t t = 0; t < 2; ++t)
              EXPECT_NEAR(found[(row * 2 + t) * draws + i], slow[t], 2e-5 * std::max(1.0, std::abs(slow[t])))
                  << draws << " draws, row " << row << ", draw " << i;
          }
      }
}

}  // namespace
}  // namespace mirrorball
