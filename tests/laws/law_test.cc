#include "mirrorball/law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "laws/known_law.h"
#include "laws/quadrature.h"
#include "reference/refusal.h"

namespace mirrorball::laws {
namespace {

constexpr double kPi = std::numbers::pi;

double density(const Law& law, double x, double y) { return law.density(x, {&y, 1}); }
double cdf(const Law& law, double x, double y) { return law.cdf(x, {&y, 1}); }

struct Moments {
  double mean = 0, sd = 0;
};

Moments moments(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  Moments out;
  for (const double value : values) out.mean += value / n;
  for (const double value : values) out.sd += (value - out.mean) * (value - out.mean) / n;
  out.sd = std::sqrt(out.sd);
  return out;
}

TEST(Law, NamesAndSizesAreThePapers) {
  EXPECT_EQ(Law::names(), (std::vector<std::string>{"unimodal", "crossing", "squares", "arcs"}));
  const std::array<std::size_t, 4> rows = {200, 3000, 600, 3000};
  for (std::size_t i = 0; i < 4; ++i) {
    const Law& law = Law::named(Law::names()[i]);
    EXPECT_EQ(law.name(), Law::names()[i]);
    EXPECT_EQ(law.default_rows(), rows[i]);
    EXPECT_LT(law.low(), law.high());
  }
  EXPECT_EQ(Law::named("arcs").target_names(), (std::vector<std::string>{"y1", "y2"}));
  EXPECT_EQ(Law::named("squares").target_names(), (std::vector<std::string>{"y"}));
}

TEST(Law, UnknownNameGetsTheList) {
  EXPECT_EQ(refusal([] { Law::named("crosing"); }),
            "unknown distribution 'crosing'; did you mean 'crossing'? (available: unimodal, crossing, "
            "squares, arcs)");
}

TEST(Law, DataIsATableOfTheColumns) {
  for (const std::string& name : Law::names()) {
    const auto& law = dynamic_cast<const KnownLaw&>(Law::named(name));
    const Table table = law.data(50, 7);
    const std::vector<double> values = law.columns(50, 7);
    std::vector<std::string> names = law.target_names();
    names.insert(names.begin(), "x");
    EXPECT_EQ(table.names(), names);
    ASSERT_EQ(table.rows(), 50u);
    for (std::size_t k = 0; k < names.size(); ++k)
      for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(table.number(i, k), values[k * 50 + i], 1e-6);
  }
}

TEST(Law, SeedDecidesTheData) {
  for (const std::string& name : Law::names()) {
    const auto& law = dynamic_cast<const KnownLaw&>(Law::named(name));
    EXPECT_EQ(law.columns(20, 1), law.columns(20, 1));
    EXPECT_NE(law.columns(20, 1), law.columns(20, 2));
    EXPECT_EQ(law.columns(1, 1).size(), 1 + law.target_names().size());
    EXPECT_NE(refusal([&] { law.columns(0, 1); }), "");
  }
}

TEST(Law, SamplesFollowTheCdf) {
  constexpr std::size_t kCount = 20000;
  for (const std::string& name : Law::names()) {
    const Law& law = Law::named(name);
    const std::size_t targets = law.target_names().size();
    const std::vector<double> x = {0.2, 0.45};
    const std::vector<double> draws = law.sample(x, kCount, 5);
    ASSERT_EQ(draws.size(), 2 * kCount * targets);
    EXPECT_EQ(draws, law.sample(x, kCount, 5));
    EXPECT_NE(draws, law.sample(x, kCount, 6));
    for (std::size_t i = 0; i < 2; ++i)
      for (const double at : {-0.3, 0.1, 0.8, 1.4}) {
        const std::vector<double> y(targets, at);
        double below = 0;
        for (std::size_t m = 0; m < kCount; ++m) {
          const double* const draw = &draws[(i * kCount + m) * targets];
          below += std::all_of(draw, draw + targets, [at](double value) { return value <= at; });
        }
        EXPECT_NEAR(below / kCount, law.cdf(x[i], y), 0.015) << name << " at " << x[i] << ", " << at;
      }
  }
  EXPECT_NE(refusal([] { Law::named("squares").sample(std::vector{0.7}, 1, 1); }), "");
}

TEST(Law, UnimodalDataFollowsIt) {
  constexpr std::size_t kRows = 40000;
  const std::vector<double> v = unimodal_law().columns(kRows, 1);
  std::vector<double> x(v.begin(), v.begin() + kRows), rest(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_LE(std::abs(x[i]), 1);
    rest[i] = v[kRows + i] - std::exp(std::sin(kPi * x[i]));
  }
  EXPECT_NEAR(moments(x).mean, 0, 0.012);
  EXPECT_NEAR(moments(x).sd, 1 / std::sqrt(3.0), 0.01);
  EXPECT_NEAR(moments(rest).mean, 0, 0.008);
  EXPECT_NEAR(moments(rest).sd, 0.4, 0.006);
}

TEST(Law, CrossingTakesItsBranchesInTurn) {
  constexpr std::size_t kRows = 30001;
  const std::vector<double> v = crossing_law().columns(kRows, 1);
  std::array<std::vector<double>, 3> rest;
  for (std::size_t i = 0; i < kRows; ++i) {
    const double x = v[i];
    ASSERT_LE(std::abs(x), kPi / 2);
    rest[i % 3].push_back(v[kRows + i] - std::array{x, std::cos(x), -std::cos(x)}[i % 3]);
  }
  EXPECT_EQ(rest[0].size(), 10001u);
  for (const std::vector<double>& branch : rest) {
    EXPECT_NEAR(moments(branch).mean, 0, 0.006);
    EXPECT_NEAR(moments(branch).sd, 0.15, 0.005);
  }
}

TEST(Law, SquaresHoldTheirPoints) {
  constexpr std::size_t kRows = 30000;
  const std::vector<double> v = squares_law().columns(kRows, 1);
  std::array<std::vector<double>, 3> x, y;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t square = v[i] < -0.75 ? 0 : v[i] < 0.75 ? 1 : 2;
    ASSERT_EQ(density(squares_law(), v[i], v[kRows + i]), 1);
    x[square].push_back(v[i]);
    y[square].push_back(v[kRows + i]);
  }
  const std::array<double, 3> middle_x = {-1.5, 0, 1.5}, middle_y = {-0.5, 1, -0.5};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(static_cast<double>(x[k].size()) / kRows, 1.0 / 3, 0.011);
    EXPECT_NEAR(moments(x[k]).mean, middle_x[k], 0.012);
    EXPECT_NEAR(moments(y[k]).mean, middle_y[k], 0.012);
    EXPECT_NEAR(moments(y[k]).sd, 1 / std::sqrt(12.0), 0.01);
  }
}

TEST(Law, ArcsDataFollowsIt) {
  constexpr std::size_t kRows = 40001;
  const std::vector<double> v = arcs_law().columns(kRows, 1);
  EXPECT_EQ(v[0], 0);
  EXPECT_EQ(v[kRows - 1], 1);
  EXPECT_DOUBLE_EQ(v[kRows / 2], 0.5);
  // E y1 = 0.6 x sin(w)/w, E y2 = 0, E |y|² = 0.36 x² + 0.02 with w = 3π/4.
  const double share = std::sin(0.75 * kPi) / (0.75 * kPi);
  std::vector<double> first, second, square;
  for (std::size_t i = 0; i < kRows; ++i) {
    const double x = v[i], a = v[kRows + i], b = v[2 * kRows + i];
    first.push_back(a - 0.6 * x * share);
    second.push_back(b);
    square.push_back(a * a + b * b - 0.36 * x * x - 0.02);
  }
  EXPECT_NEAR(moments(first).mean, 0, 0.006);
  EXPECT_NEAR(moments(second).mean, 0, 0.006);
  EXPECT_NEAR(moments(square).mean, 0, 0.003);
}

TEST(Law, LineDensitiesIntegrateToOneAndTheCdfIsTheirIntegral) {
  for (const char* name : {"unimodal", "crossing", "squares"}) {
    const Law& law = Law::named(name);
    for (const double x : {law.low(), -0.4, 0.0, 0.3, law.high()}) {
      // Panels of 0.05 end on the edges of the squares.
      double sum = 0;
      const std::vector<Node> nodes = gauss_legendre(-6, 8, 280);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        sum += nodes[i].weight * density(law, x, nodes[i].at);
        if ((i + 1) % (16 * 7) == 0) {
          const double end = -6 + 0.05 * static_cast<double>((i + 1) / 16);
          EXPECT_NEAR(cdf(law, x, end), sum, 1e-10) << name << " " << x << " " << end;
        }
      }
      EXPECT_NEAR(sum, 1, 1e-10);
    }
  }
}

TEST(Law, LineCdfHasTheDensityAsSlope) {
  for (const char* name : {"unimodal", "crossing", "squares"}) {
    const Law& law = Law::named(name);
    for (const double x : {-0.45, 0.1, law.high()})
      for (double y = -1.73; y < 3; y += 0.37)
        EXPECT_NEAR((cdf(law, x, y + 1e-5) - cdf(law, x, y - 1e-5)) / 2e-5, density(law, x, y), 1e-7);
  }
}

// scipy.integrate.quad over t of norm.pdf(y1, .6 x cos t, .1) * norm.pdf(y2, .6 x sin t, .1), and of
// norm.cdf, both divided by 1.5 pi; scipy 1.17.1, epsabs=epsrel=1e-13
TEST(Law, ArcsAreScipys) {
  struct Known {
    double x, y1, y2, density, cdf;
  };
  const Known known[] = {{0, 0.05, -0.1, 8.518950219522653, 0.10970415237749886},
                         {0.5, 0.3, 0.1, 2.7507684462398014, 0.48274405458756986},
                         {1, 0.6, 0, 1.4159477526435327, 0.4488593934735222},
                         {1, -0.4, -0.45, 0.9009388656534288, 0.014071646818354298},
                         {0.8, -0.5, 0, 0.0003287266707181962, 0.001316628710676043},
                         {1, 0.2, 0.3, 0.10415718295518908, 0.24345304419380473}};
  for (const Known& k : known) {
    const double y[] = {k.y1, k.y2};
    EXPECT_NEAR(arcs_law().density(k.x, y), k.density, 1e-11);
    EXPECT_NEAR(arcs_law().cdf(k.x, y), k.cdf, 1e-12);
  }
}

TEST(Law, ArcsDensityIntegratesToOneAndToTheCdf) {
  for (const double x : {0.0, 0.6, 1.0}) {
    const double corner[] = {0.25, 0.1};
    double all = 0, below = 0;
    for (const auto& [low, high, inside] : {std::tuple{-1.5, 0.25, true}, {0.25, 1.5, false}})
      for (const auto& [low2, high2, inside2] : {std::tuple{-1.5, 0.1, true}, {0.1, 1.5, false}})
        for (const Node& a : gauss_legendre(low, high, 6))
          for (const Node& b : gauss_legendre(low2, high2, 6)) {
            const double y[] = {a.at, b.at}, part = a.weight * b.weight * arcs_law().density(x, y);
            all += part;
            if (inside && inside2) below += part;
          }
    EXPECT_NEAR(all, 1, 1e-8);
    EXPECT_NEAR(arcs_law().cdf(x, corner), below, 1e-8);
  }
}

TEST(Law, RefusesWhatIsOutside) {
  const Law& squares = Law::named("squares");
  EXPECT_EQ(refusal([&] { density(squares, 0.75, 0); }),
            "x = 0.75 is outside the domain of 'squares': it is defined for -2 <= x <= -1, -0.5 <= x <= 0.5, "
            "1 <= x <= 2");
  EXPECT_NE(refusal([&] { cdf(squares, -0.75, 0); }), "");
  EXPECT_NE(refusal([&] { squares.distances(3, std::vector{1.0}); }), "");
  EXPECT_EQ(refusal([] { density(Law::named("crossing"), 5, 0); }),
            "x = 5 is outside the domain of 'crossing': it is defined for -1.5708 <= x <= 1.5708");
  EXPECT_NE(refusal([] { density(Law::named("unimodal"), std::nan(""), 0); }), "");
  EXPECT_EQ(refusal([] { density(Law::named("arcs"), 0.5, 0); }),
            "y has 1 values, but the distribution 'arcs' has 2 targets");
  EXPECT_EQ(refusal([] {
              Law::named("arcs").distances(0.5, std::vector{1.0, 2.0, 3.0});
            }),
            "3 numbers are not a whole number of samples of 2 values each");
  EXPECT_NE(refusal([] { Law::named("arcs").distances(0.5, {}); }), "");
  EXPECT_EQ(refusal([] {
              Law::named("unimodal").distances(0, std::vector{1.0, std::nan("")});
            }),
            "number 1 of 2 is nan, not a finite number");
}

}  // namespace
}  // namespace mirrorball::laws
