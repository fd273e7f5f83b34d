#include "net/noise_points.h"

#include <cmath>
#include <vector>

namespace mirrorball::net {
namespace {

// Largest float below 1: rounding must not carry a point out of [0, 1).
constexpr float kBelowOne = 0x1.fffffep-1f;

float below_one(double value) { return std::min(static_cast<float>(value), kBelowOne); }

/// The positive root of p^(dims+1) = p + 1, by fixed-point iteration.
double lattice_base(std::size_t dims) {
  double p = 1.5;
  for (int round = 0; round < 64; ++round) p = std::pow(1.0 + p, 1.0 / static_cast<double>(dims + 1));
  return p;
}

void lattice(Stream& random, std::size_t dims, std::span<float> points) {
  const std::vector<double> step = lattice_steps(dims);
  std::vector<double> at(dims);
  for (double& shift : at) shift = random.uniform_double();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t j = i % dims;
    points[i] = below_one(at[j]);
    at[j] += step[j];
    at[j] -= std::floor(at[j]);
  }
}

}  // namespace

std::vector<double> lattice_steps(std::size_t dims) {
  if (dims < 2 || dims > kLatticeDims) return {};
  const double base = lattice_base(dims);
  std::vector<double> steps(dims);
  for (std::size_t j = 0; j < dims; ++j) steps[j] = std::pow(base, -static_cast<double>(j + 1));
  return steps;
}

void independent_points(Stream& random, std::span<float> points) {
  for (float& value : points) value = random.uniform();
}

void spread_points(Stream& random, std::size_t dims, std::span<float> points) {
  if (dims > kLatticeDims) return independent_points(random, points);
  if (dims > 1) return lattice(random, dims, points);
  const double count = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = below_one((static_cast<double>(i) + random.uniform_double()) / count);
}

void grid_points(Stream& random, std::size_t dims, std::span<float> points) {
  if (dims > 1) return spread_points(random, dims, points);
  const double count = static_cast<double>(points.size()), shift = random.uniform_double();
  for (std::size_t g = 0; g < points.size(); ++g)
    points[g] = below_one((static_cast<double>(g) + shift) / count);
}

}  // namespace mirrorball::net
