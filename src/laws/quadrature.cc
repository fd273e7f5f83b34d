#include "laws/quadrature.h"

#include <array>
#include <cmath>
#include <numbers>

namespace mirrorball::laws {
namespace {

constexpr int kPoints = 16;

/// Nodes of [−1, 1]: the zeros t of the Legendre polynomial P_n, with weights 2/((1 − t²) P_n'(t)²). Newton's
/// iteration from cos(π (i − 1/4)/(n + 1/2)) (i from 1) converges to each zero in a few rounds.
std::array<Node, kPoints> reference_nodes() {
  std::array<Node, kPoints> nodes;
  for (int i = 0; i < kPoints; ++i) {
    double t = std::cos(std::numbers::pi * (i + 0.75) / (kPoints + 0.5)), slope = 0;
    for (int round = 0; round < 8; ++round) {
      double value = t, before = 1;
      for (int k = 2; k <= kPoints; ++k) {
        const double next = ((2 * k - 1) * t * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = kPoints * (t * value - before) / (t * t - 1);
      t -= value / slope;
    }
    nodes[static_cast<std::size_t>(i)] = {t, 2 / ((1 - t * t) * slope * slope)};
  }
  return nodes;
}

}  // namespace

std::vector<Node> gauss_legendre(double low, double high, std::size_t panels) {
  static const std::array<Node, kPoints> reference = reference_nodes();
  const double half = (high - low) / (2 * static_cast<double>(panels));
  std::vector<Node> nodes;
  nodes.reserve(panels * kPoints);
  for (std::size_t panel = 0; panel < panels; ++panel)
    for (const auto& [at, weight] : reference)
      nodes.push_back({low + half * (2 * static_cast<double>(panel) + 1 + at), half * weight});
  return nodes;
}

}  // namespace mirrorball::laws
