#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "laws/cells.h"
#include "laws/plane.h"
#include "mirrorball/law.h"
#include "reference/refusal.h"
#include "score/slow_scores.h"

namespace mirrorball::laws {
namespace {

/// Exact draws from a law at x.
std::vector<double> exact_draws(const std::string& name, double x, std::size_t count) {
  Stream stream(1, Purpose::kTest, 40);
  std::vector<double> draws;
  for (std::size_t i = 0; i < count; ++i) {
    if (name == "unimodal") draws.push_back(std::exp(std::sin(std::numbers::pi * x)) + 0.4 * stream.normal());
    if (name == "crossing")
      draws.push_back(std::array{x, std::cos(x), -std::cos(x)}[stream.below(3)] + 0.15 * stream.normal());
    if (name == "squares") draws.push_back((std::abs(x) < 0.6 ? 0.5 : -1) + stream.uniform_double());
    if (name == "arcs") {
      const double t = 0.75 * std::numbers::pi * (2 * stream.uniform_double() - 1);
      draws.push_back(0.6 * x * std::cos(t) + 0.1 * stream.normal());
      draws.push_back(0.6 * x * std::sin(t) + 0.1 * stream.normal());
    }
  }
  return draws;
}

TEST(Distances, OfExactDrawsShrink) {
  struct Limit {
    const char* name;
    double jsd, wasserstein, energy;  // for 10,000 draws
  };
  const Limit limits[] = {{"unimodal", 0.06, 0.015, 0.015},
                          {"crossing", 0.06, 0.025, 0.025},
                          {"squares", 0.05, 0.01, 0.01},
                          {"arcs", 0.17, 0.012, 0.02}};
  for (const Limit& limit : limits)
    for (const double x : {0.1, 0.45}) {
      const Law& law = Law::named(limit.name);
      const Distances far = law.distances(x, exact_draws(limit.name, x, 100));
      const Distances near = law.distances(x, exact_draws(limit.name, x, 10000));
      EXPECT_LT(near.jsd, limit.jsd) << limit.name;
      EXPECT_LT(near.hellinger, limit.jsd) << limit.name;
      EXPECT_LT(near.wasserstein, limit.wasserstein) << limit.name;
      EXPECT_LT(near.energy, limit.energy) << limit.name;
      EXPECT_LT(near.jsd, 0.5 * far.jsd) << limit.name;
      EXPECT_LT(near.hellinger, 0.5 * far.hellinger) << limit.name;
      EXPECT_LT(near.wasserstein, 0.5 * far.wasserstein) << limit.name;
      EXPECT_LT(near.energy, 0.5 * far.energy) << limit.name;
    }
}

// scipy.stats.wasserstein_distance(draws, law) and energy_distance, law = 4 million (squares, unimodal) or
// 3 × 1.33 million (crossing) quantiles of the law at (i + 1/2)/n; crossing also
// scipy.spatial.distance.jensenshannon(P, Q, base=2) of the cells from norm.cdf and numpy.histogram;
// scipy 1.17.1
TEST(Distances, OnTheLineAreScipys) {
  const std::vector<double> unimodal = {2.1, 1.7, 2.4, 2.9, 1.1, 6.0};
  Distances found = Law::named("unimodal").distances(0.3, unimodal);
  EXPECT_NEAR(found.wasserstein, 0.7489474555885514, 5e-6);
  EXPECT_NEAR(found.energy, 0.4982000629582602, 5e-6);
  const std::vector<double> crossing = {0.71, 0.82, -0.93, -0.62, 0.77, -3.51, 0.91};
  found = Law::named("crossing").distances(0.7, crossing);
  EXPECT_NEAR(found.wasserstein, 0.5456058415671504, 5e-6);
  EXPECT_NEAR(found.energy, 0.3795377313939264, 5e-6);
  EXPECT_NEAR(found.jsd, 0.7133636981717251, 1e-9);
  EXPECT_NEAR(found.hellinger, 0.6926032286669827, 1e-9);
  const std::vector<double> squares = {-0.9, -0.4, -0.35, 0.2, -2.5};
  found = Law::named("squares").distances(-1.3, squares);
  EXPECT_NEAR(found.wasserstein, 0.4525, 1e-6);
  EXPECT_NEAR(found.energy, 0.4143267631552281, 1e-6);
}

TEST(Distances, ShiftCostsItsLength) {
  std::vector<double> draws = exact_draws("unimodal", 0.2, 4000);
  for (double& draw : draws) draw += 100;
  const Distances found = Law::named("unimodal").distances(0.2, draws);
  EXPECT_NEAR(found.wasserstein, 100, 0.03);
  // All draws are in the last cell, where the law has nothing.
  EXPECT_NEAR(found.jsd, 1, 1e-6);
  EXPECT_NEAR(found.hellinger, 1, 1e-4);
  // 2 ∫(F − G)² is 2·100 less the spread of both, 4 E|X − X'|/2.
  EXPECT_NEAR(found.energy, std::sqrt(2 * (100 - 2 * 0.4 / std::sqrt(std::numbers::pi))), 0.01);
}

TEST(Distances, InThePlaneCountWhatLiesOutside) {
  std::vector<double> draws = exact_draws("arcs", 0.8, 3000);
  for (std::size_t i = 0; i < draws.size(); i += 2) draws[i] += 10;
  const Distances found = Law::named("arcs").distances(0.8, draws);
  EXPECT_NEAR(found.jsd, 1, 1e-6);
  EXPECT_NEAR(found.hellinger, 1, 1e-4);
  // Mean of |10 cos| over the half circle is 20/π.
  EXPECT_NEAR(found.wasserstein, 20 / std::numbers::pi, 0.05);
  EXPECT_GT(found.energy, 4);
}

TEST(Distances, OfManyDrawsInThePlaneUseSomeForTheEnergy) {
  const std::vector<double> draws = exact_draws("arcs", 1, 50000);
  const Distances found = Law::named("arcs").distances(1, draws);
  EXPECT_LT(found.hellinger, 0.09);
  EXPECT_LT(found.wasserstein, 0.006);
  EXPECT_LT(found.energy, 0.02);
}

// scipy.spatial.distance.jensenshannon(p, q, base=2) and numpy, scipy 1.17.1
TEST(CellDistances, AreScipys) {
  const double p[] = {0.1, 0.2, 0.3, 0.4, 0}, q[] = {0.25, 0.25, 0, 0.25, 0.25};
  Distances found;
  cell_distances(p, q, found);
  EXPECT_NEAR(found.jsd, 0.5599641868033214, 1e-15);
  EXPECT_NEAR(found.hellinger, 0.5495921699085278, 1e-15);
  cell_distances(p, p, found);
  EXPECT_EQ(found.jsd, 0);
  EXPECT_EQ(found.hellinger, 0);
}

scoring::Points points_of(const std::vector<double>& joint) { return scoring::to_columns(joint, 2); }

// scipy.stats.energy_distance([-.5, .25, 1.5, 3], [0, .75, .75, 2, 4.5]) and wasserstein_distance,
// scipy 1.17.1
TEST(PlaneDistances, OnALineAreScipys) {
  const scoring::Points a = points_of({-0.5, 0, 0.25, 0, 1.5, 0, 3, 0});
  const scoring::Points b = points_of({0, 0, 0.75, 0, 0.75, 0, 2, 0, 4.5, 0});
  EXPECT_NEAR(energy_distance(a, b), 0.5623610939600996, 1e-14);
  // A projection shrinks the line by |cos|, whose mean over the 32 directions is cot(π/64)/32.
  EXPECT_NEAR(sliced_wasserstein(a, b), 0.7875 / (32 * std::tan(std::numbers::pi / 64)), 1e-14);
  EXPECT_EQ(energy_distance(a, a), 0);
  EXPECT_EQ(sliced_wasserstein(b, b), 0);
}

TEST(PlaneDistances, EnergyIsItsSlowTwin) {
  const std::vector<double> a = slow::normals(2 * 37, 60), b = slow::normals(2 * 53, 61, 0.5, 2);
  const auto mean = [](const std::vector<double>& p, const std::vector<double>& q) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); i += 2)
      for (std::size_t j = 0; j < q.size(); j += 2) sum += slow::distance(&p[i], &q[j], 2);
    return 4 * sum / static_cast<double>(p.size() * q.size());
  };
  EXPECT_NEAR(energy_distance(points_of(a), points_of(b)),
              std::sqrt(2 * mean(a, b) - mean(a, a) - mean(b, b)), 1e-13);
}

// scipy.stats.energy_distance and wasserstein_distance as above. Five cells of width 1 from -0.5 on hold
// shares (2, 0, 1, 1, 0)/4 and (1, 2, 1, 0, 1)/5.
TEST(SampleDistances, OnALineAreScipys) {
  const std::vector<double> a = {-0.5, 0.25, 1.5, 3}, b = {0, 0.75, 0.75, 2, 4.5};
  const Distances found = sample_distances(a, b, 1, 5);
  EXPECT_NEAR(found.wasserstein, 0.7875, 1e-14);
  EXPECT_NEAR(found.energy, 0.5623610939600996, 1e-14);
  EXPECT_NEAR(found.hellinger, std::sqrt(1 - std::sqrt(0.5 * 0.2) - std::sqrt(0.25 * 0.2)), 1e-12);
}

TEST(SampleDistances, InThePlane) {
  const std::vector<double> a = slow::normals(2 * 300, 83);
  std::vector<double> b = a;
  Distances found = sample_distances(a, b, 2, 10);
  EXPECT_EQ(found.jsd + found.hellinger + found.wasserstein, 0);
  EXPECT_NEAR(found.energy, 0, 1e-6);
  for (std::size_t i = 0; i < b.size(); i += 2) b[i] += 100;
  found = sample_distances(a, b, 2, 10);
  EXPECT_NEAR(found.jsd, 1, 1e-12);
  EXPECT_NEAR(found.hellinger, 1, 1e-12);
  EXPECT_NEAR(found.wasserstein, 100 / (32 * std::tan(std::numbers::pi / 64)), 1e-9);  // mean of |cos|
}

TEST(SampleDistances, OfOneValueAreThose) {
  const std::vector<double> a = {2, 2, 2}, b = {2};
  const Distances same = sample_distances(a, b, 1, 7);
  EXPECT_EQ(same.jsd + same.hellinger + same.wasserstein + same.energy, 0);
}

TEST(SampleDistances, RefuseWithBothNumbers) {
  const std::vector<double> draws = {1, 2, 3};
  EXPECT_NE(refusal([&] { sample_distances(draws, draws, 3, 5); }), "");
  EXPECT_NE(refusal([&] { sample_distances(draws, draws, 1, 0); }), "");
  EXPECT_NE(refusal([&] { sample_distances(draws, {}, 1, 5); }), "");
  EXPECT_EQ(refusal([&] { sample_distances(draws, draws, 2, 5); }),
            "3 numbers are not a whole number of samples of 2 values each");
  EXPECT_NE(refusal([&] { sample_distances(draws, std::vector{1.0, std::nan("")}, 1, 5); }), "");
}

}  // namespace
}  // namespace mirrorball::laws
