#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/normal.h"
#include "base/random.h"
#include "laws/known_law.h"
#include "laws/plane.h"
#include "laws/quadrature.h"

namespace mirrorball::laws {
namespace {

constexpr double kSd = 0.1, kRadius = 0.6, kOpening = 0.75 * std::numbers::pi;
constexpr std::size_t kSamplePoints = 4096;

/// Nodes over the angle with weights that add up to 1. At radius r the integrands change over σ/r in the
/// angle; with panels of at most twice that, 16 points leave an error below 1e-12. They are not periodic: the
/// arc has ends.
std::vector<Node> angle_nodes(double radius) {
  const double panels = std::ceil(kOpening * std::max(radius, kSd) / kSd);
  std::vector<Node> nodes = gauss_legendre(-kOpening, kOpening, static_cast<std::size_t>(panels));
  for (Node& node : nodes) node.weight /= 2 * kOpening;
  return nodes;
}

/// P(cell) = mean over t of [Φ in y1 between the cell's edges] · [the same in y2]; the last cell is the rest.
std::vector<double> cell_probabilities(double radius) {
  constexpr std::size_t kSide = PlaneCells::kSide;
  const auto shares = [](double centre) {
    std::array<double, kSide> out;
    double before = normal_cdf((PlaneCells::edge(0) - centre) / kSd);
    for (std::size_t i = 0; i < kSide; ++i) {
      const double after = normal_cdf((PlaneCells::edge(i + 1) - centre) / kSd);
      out[i] = after - before;
      before = after;
    }
    return out;
  };
  std::vector<double> cells(PlaneCells::kCount);
  for (const auto& [t, weight] : angle_nodes(radius)) {
    const std::array<double, kSide> first = shares(radius * std::cos(t)),
                                    second = shares(radius * std::sin(t));
    for (std::size_t i = 0; i < kSide; ++i)
      for (std::size_t j = 0; j < kSide; ++j) cells[i * kSide + j] += weight * first[i] * second[j];
  }
  double inside = 0;
  for (const double cell : cells) inside += cell;
  cells.back() = std::max(0.0, 1 - inside);
  return cells;
}

/// Points spread evenly over the law. Point i has the coordinates frac(1/2 + i a^-k), k = 1, 2, 3, where a
/// solves a⁴ = a + 1 (Roberts' R3 sequence); the first is the angle, the others make two normals
/// (Box-Muller).
scoring::Points even_sample(double radius) {
  constexpr double kRoot = 1.2207440846057596;
  scoring::Points points(kSamplePoints, 2);
  for (std::size_t i = 0; i < kSamplePoints; ++i) {
    std::array<double, 3> u;
    double step = 1;
    for (double& value : u) {
      step /= kRoot;
      value = std::fmod(0.5 + static_cast<double>(i + 1) * step, 1.0);
    }
    const double t = kOpening * (2 * u[0] - 1), turn = 2 * std::numbers::pi * u[2];
    const double noise = kSd * std::sqrt(-2 * std::log1p(-u[1]));
    points.column(0)[i] = radius * std::cos(t) + noise * std::cos(turn);
    points.column(1)[i] = radius * std::sin(t) + noise * std::sin(turn);
  }
  return points;
}

class Arcs final : public KnownLaw {
 public:
  std::string name() const override { return "arcs"; }
  std::vector<std::string> target_names() const override { return {"y1", "y2"}; }
  std::size_t default_rows() const override { return 3000; }
  double low() const override { return 0; }
  double high() const override { return 1; }

 private:
  void row(std::size_t row, std::size_t rows, std::uint64_t seed, double* out) const override {
    Stream stream(seed, Purpose::kData, static_cast<std::uint32_t>(row), 3);
    out[0] = rows == 1 ? 0 : static_cast<double>(row) / static_cast<double>(rows - 1);
    std::array<double, 2> y;
    draw(out[0], stream, y.data());
    out[rows] = y[0];
    out[2 * rows] = y[1];
  }

  void draw(double x, Stream& stream, double* out) const override {
    const double t = kOpening * (2 * stream.uniform_double() - 1);
    out[0] = kRadius * x * std::cos(t) + kSd * stream.normal();
    out[1] = kRadius * x * std::sin(t) + kSd * stream.normal();
  }

  /// Mean over t of N(y1; r cos t, σ²) N(y2; r sin t, σ²).
  double density_at(double x, std::span<const double> y) const override {
    const double radius = kRadius * x;
    double sum = 0;
    for (const auto& [t, weight] : angle_nodes(radius)) {
      const double a = (y[0] - radius * std::cos(t)) / kSd, b = (y[1] - radius * std::sin(t)) / kSd;
      sum += weight * std::exp(-0.5 * (a * a + b * b));
    }
    return sum / (2 * std::numbers::pi * kSd * kSd);
  }

  /// Mean over t of Φ((y1 − r cos t)/σ) Φ((y2 − r sin t)/σ).
  double cdf_at(double x, std::span<const double> y) const override {
    const double radius = kRadius * x;
    double sum = 0;
    for (const auto& [t, weight] : angle_nodes(radius))
      sum += weight * normal_cdf((y[0] - radius * std::cos(t)) / kSd) *
             normal_cdf((y[1] - radius * std::sin(t)) / kSd);
    return sum;
  }

  Distances distances_at(double x, std::span<const double> draws) const override {
    const double radius = kRadius * x;
    return plane_distances(cell_probabilities(radius), even_sample(radius), scoring::to_columns(draws, 2));
  }
};

}  // namespace

const KnownLaw& arcs_law() {
  static const Arcs law;
  return law;
}

}  // namespace mirrorball::laws
