#include "model/noise_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "model/row_sampler.h"
#include "toy.h"

namespace mirrorball {
namespace {

struct AnyNoise : engine::EmbeddedNoise {};

TEST(NoiseCache, KeepsTheLastFew) {
  model::NoiseCache cache;
  for (std::size_t draws = 1; draws <= 5; ++draws) {
    cache.keep(draws, 7, std::make_shared<AnyNoise>());
    EXPECT_NE(cache.find(1, 7), nullptr) << "what is used stays";
  }
  EXPECT_EQ(cache.find(2, 7), nullptr);
  EXPECT_NE(cache.find(5, 7), nullptr);
  EXPECT_EQ(cache.find(5, 8), nullptr);
  cache.keep(1'000'000, 7, std::make_shared<AnyNoise>());
  EXPECT_EQ(cache.find(1'000'000, 7), nullptr) << "large ones are not worth it";
}

TEST(NoiseCache, DrawsAreTheSameWithAndWithout) {
  Options quick = toy::options();
  quick.epochs = 2;
  const Model model = fit(toy::table(200), toy::roles(), quick);
  const Table table = toy::table(3, 9);
  ThreadPool pool(1);
  model::NoiseCache cache;
  for (const std::size_t samples : {7, 250})
    for (const std::uint64_t seed : {0, 5})
      for (int again = 0; again < 2; ++again) {
        const PredictOptions options{samples, seed};
        const model::RowSampler first(model, options, pool, &cache), second(model, options, pool);
        const rows::EncodedRows rows = first.encode(table);
        const Predictive with = first.sample(rows), without = second.sample(rows);
        for (std::size_t row = 0; row < 3; ++row)
          for (std::size_t t = 0; t < 2; ++t)
            EXPECT_TRUE(std::ranges::equal(with.row_samples(row, t), without.row_samples(row, t)));
      }
}

}  // namespace
}  // namespace mirrorball
