#pragma once

#include <cstddef>
#include <vector>

namespace mirrorball::laws {

struct Node {
  double at, weight;
};

/// Places and weights with which Σ weight · f(at) is the integral of f from low to high: Gauss-Legendre with
/// 16 points in each of `panels` equal panels.
std::vector<Node> gauss_legendre(double low, double high, std::size_t panels);

}  // namespace mirrorball::laws
