#include "kernels/energy_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kernels/activation.h"
#include "reference/slow_network.h"

namespace mirrorball {
namespace {

/// Draws in the kernel's layout: one run per target, `stride` apart, with the slack it wants.
struct Draws {
  Draws(std::size_t draw_count, std::size_t target_count, std::size_t run)
      : count(draw_count), targets(target_count), stride(run), values(run * target_count + kPadding) {}

  std::vector<std::vector<double>> joint() const {
    std::vector<std::vector<double>> all(count, std::vector<double>(targets));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t t = 0; t < targets; ++t) all[i][t] = static_cast<double>(values[t * stride + i]);
    return all;
  }

  std::size_t count, targets, stride;
  std::vector<float> values;
};

Draws random_draws(std::size_t count, std::size_t targets, std::uint32_t part) {
  Draws draws(count, targets, count + 3);
  Stream random(2, Purpose::kTest, part);
  for (float& value : draws.values) value = static_cast<float>(random.normal());
  return draws;
}

std::vector<float> random_truth(std::size_t targets) {
  std::vector<float> y(targets);
  Stream random(3, Purpose::kTest);
  for (float& value : y) value = static_cast<float>(random.normal());
  return y;
}

/// Draws on a straight line along the noise, in any direction: with what is added, the pairs' part of the
/// gradient is that of infinitely many draws, E d|s(a) - s(a')|/ds = (2a - 1) v/|v|.
TEST(EnergyScore, StrataRepelWithin) {
  constexpr std::size_t kCount = 6;
  for (std::size_t targets : {1u, 2u})
    for (float way : {1.0f, -3.0f}) {
      kernels::EnergyScore score = kernels::EnergyScore::make(kCount, targets, 1.0, false);
      Draws draws(kCount, targets, kCount + 2);
      std::vector<float> points(3 * kCount);
      std::vector<std::uint32_t> index(kCount);
      Stream random(4, Purpose::kTest);
      const float length = targets == 1 ? 1.0f : std::sqrt(5.0f);
      for (std::size_t i = 0; i < kCount; ++i) {
        index[i] = static_cast<std::uint32_t>(3 * i + 1);
        points[index[i]] = (static_cast<float>(i) + random.uniform()) / kCount;
        for (std::size_t t = 0; t < targets; ++t)
          draws.values[t * draws.stride + i] = way * static_cast<float>(t + 1) * points[index[i]];
      }
      std::vector<float> gradient(draws.values.size()), truth(targets, 100.0f), without(draws.values.size());
      std::vector<std::uint64_t> scratch;
      const float scale = 0.5f;
      score(truth.data(), draws.values.data(), draws.stride, scale, gradient.data(), scratch);
      kernels::repel_within_strata(score, draws.values.data(), draws.stride, points.data(), index.data(),
                                   scale, gradient.data());
      score.pair_weight = 0;
      score(truth.data(), draws.values.data(), draws.stride, scale, without.data(), scratch);
      for (std::size_t i = 0; i < kCount; ++i)
        for (std::size_t t = 0; t < targets; ++t) {
          const std::size_t at = t * draws.stride + i;
          const float unit = (way > 0 ? 1.0f : -1.0f) * static_cast<float>(t + 1) / length;
          EXPECT_NEAR(gradient[at] - without[at], -scale / kCount * (2 * points[index[i]] - 1) * unit, 1e-6);
        }
    }
}

TEST(EnergyScore, LossAndGradientAgreeWithTheFormula) {
  std::vector<std::uint64_t> scratch;
  for (std::size_t count : {1u, 2u, 7u, 16u, 50u, 100u})
    for (std::size_t targets : {1u, 2u, 3u})
      for (double alpha : {0.5, 1.0, 1.5})
        for (bool fair : {false, true}) {
          const kernels::EnergyScore score = kernels::EnergyScore::make(count, targets, alpha, fair);
          const Draws draws = random_draws(count, targets, 1);
          const std::vector<float> y = random_truth(targets);
          std::vector<float> gradient(draws.values.size(), -9.0f);
          const float scale = 0.25f;
          const float loss =
              score(y.data(), draws.values.data(), draws.stride, scale, gradient.data(), scratch);
          std::vector<std::vector<double>> joint = draws.joint();
          const auto slow = [&] {
            return slow::energy_score(joint, y, alpha, static_cast<double>(score.pair_weight));
          };
          EXPECT_NEAR(loss, slow(), 1e-5) << count << " " << targets << " " << alpha;
          EXPECT_NEAR(score(y.data(), draws.values.data(), draws.stride, scale, nullptr, scratch), loss,
                      1e-6);
          for (std::size_t i = 0; i < count; ++i)
            for (std::size_t t = 0; t < targets; ++t) {
              const double kept = joint[i][t], h = 1e-6;
              joint[i][t] = kept + h;
              const double above = slow();
              joint[i][t] = kept - h;
              const double below = slow();
              joint[i][t] = kept;
              const double slope = static_cast<double>(scale) * (above - below) / (2 * h);
              EXPECT_NEAR(gradient[t * draws.stride + i], slope, 1e-5 + 1e-3 * std::fabs(slope));
            }
          for (std::size_t t = 0; t < targets; ++t)  // what belongs to others is left alone
            for (std::size_t i = count; i < draws.stride; ++i)
              EXPECT_EQ(gradient[t * draws.stride + i], -9.0f);
        }
}

TEST(EnergyScore, HandValues) {
  std::vector<std::uint64_t> scratch;
  std::vector<float> draws = {3.0f, 1.0f}, gradient(2 + kPadding);
  draws.resize(2 + kPadding);
  const float y = 2.0f;
  // mean|s - y| = 1; sum over ordered pairs |3 - 1| = 4; 1 - 4/8 = 0.5 and, fair, 1 - 4/4 = 0.
  EXPECT_FLOAT_EQ(
      kernels::EnergyScore::make(2, 1, 1.0, false)(&y, draws.data(), 2, 1.0f, gradient.data(), scratch),
      0.5f);
  EXPECT_FLOAT_EQ(gradient[0], 0.5f - 0.25f);
  EXPECT_FLOAT_EQ(gradient[1], -0.5f + 0.25f);
  EXPECT_FLOAT_EQ(kernels::EnergyScore::make(2, 1, 1.0, true)(&y, draws.data(), 2, 1.0f, nullptr, scratch),
                  0.0f);
}

TEST(EnergyScore, CoincidingDrawsHaveNoGradientAmongThem) {
  std::vector<std::uint64_t> scratch;
  for (std::size_t targets : {1u, 2u})
    for (double alpha : {0.5, 1.0, 1.5}) {
      const kernels::EnergyScore score = kernels::EnergyScore::make(4, targets, alpha, false);
      std::vector<float> draws(4 * targets + kPadding, 0.75f), gradient(4 * targets + kPadding, 5.0f);
      const std::vector<float> y(targets, 0.75f);
      EXPECT_EQ(score(y.data(), draws.data(), 4, 1.0f, gradient.data(), scratch), 0.0f);
      for (std::size_t i = 0; i < 4 * targets; ++i) EXPECT_EQ(gradient[i], 0.0f);
    }
  // Ties share the middle of their ranks, zeros of both signs tie.
  const kernels::EnergyScore score = kernels::EnergyScore::make(3, 1, 1.0, false);
  std::vector<float> draws = {0.0f, 1.0f, -0.0f}, gradient(3 + kPadding);
  draws.resize(3 + kPadding);
  const float y = -1.0f;
  score(&y, draws.data(), 3, 1.0f, gradient.data(), scratch);
  EXPECT_EQ(gradient[0], gradient[2]);
  EXPECT_FLOAT_EQ(gradient[0], 1.0f / 3 + 1.0f / 9);
}

/// The true law scores best on average: the loss is a proper score, with the fair weights exactly so.
TEST(EnergyScore, IsProper) {
  std::vector<std::uint64_t> scratch;
  for (std::size_t targets : {1u, 2u}) {
    const std::size_t count = 20;
    const kernels::EnergyScore score = kernels::EnergyScore::make(count, targets, 1.0, true);
    const auto mean_score = [&](double shift, double spread) {
      double sum = 0;
      const std::uint32_t rounds = 20000;
      for (std::uint32_t round = 0; round < rounds; ++round) {
        Stream random(4, Purpose::kTest, round);
        std::vector<float> y(targets), draws(count * targets + kPadding);
        for (float& value : y) value = static_cast<float>(random.normal());
        for (float& value : draws) value = static_cast<float>(shift + spread * random.normal());
        sum += static_cast<double>(score(y.data(), draws.data(), count, 1.0f, nullptr, scratch));
      }
      return sum / rounds;
    };
    const double truth = mean_score(0, 1);
    EXPECT_LT(truth, mean_score(0.3, 1));
    EXPECT_LT(truth, mean_score(0, 0.7));
    EXPECT_LT(truth, mean_score(0, 1.4));
  }
}

TEST(EnergyScore, SquaredError) {
  const std::vector<float> y = {1.0f, 2.0f}, draw = {1.5f, 0.0f, 4.0f};
  std::vector<float> gradient(3);
  EXPECT_FLOAT_EQ(kernels::squared_error(y.data(), draw.data(), 2, 2, 0.5f, gradient.data()), 0.25f + 4.0f);
  EXPECT_FLOAT_EQ(gradient[0], 0.5f);
  EXPECT_FLOAT_EQ(gradient[2], 2.0f);
}

}  // namespace
}  // namespace mirrorball
