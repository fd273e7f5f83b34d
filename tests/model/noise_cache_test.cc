#include "model/noise_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "model/draw_rows.h"
#include "toy.h"

namespace mirrorball {
namespace {

TEST(NoiseCache, KeepsTheLastFew) {
  NoiseCache cache;
  for (std::size_t draws = 1; draws <= 5; ++draws) {
    cache.keep(draws, 7, std::make_shared<EmbeddedNoise>());
    EXPECT_NE(cache.find(1, 7), nullptr) << "what is used stays";
  }
  EXPECT_EQ(cache.find(2, 7), nullptr);
  EXPECT_NE(cache.find(5, 7), nullptr);
  EXPECT_EQ(cache.find(5, 8), nullptr);
  cache.keep(1'000'000, 7, std::make_shared<EmbeddedNoise>());
  EXPECT_EQ(cache.find(1'000'000, 7), nullptr) << "large ones are not worth it";
}

TEST(NoiseCache, DrawsAreTheSameWithAndWithout) {
  Options quick = toy::options();
  quick.epochs = 2;
  const Model model = fit(toy::table(200), toy::roles(), quick);
  const Table table = toy::table(3, 9);
  ThreadPool pool(1);
  const EncodedRows rows = encode_rows(model.parts(), table, 0, 3, pool);
  NoiseCache cache;
  for (const std::size_t samples : {7, 250})
    for (const std::uint64_t seed : {0, 5})
      for (int again = 0; again < 2; ++again) {
        const Predictive with = draw_rows(model.parts(), rows, {samples, seed}, pool, {}, &cache),
                         without = draw_rows(model.parts(), rows, {samples, seed}, pool);
        for (std::size_t row = 0; row < 3; ++row)
          for (std::size_t t = 0; t < 2; ++t)
            EXPECT_TRUE(std::ranges::equal(with.draws(row, t), without.draws(row, t)));
      }
}

}  // namespace
}  // namespace mirrorball
