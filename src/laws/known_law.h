#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "mirrorball/law.h"

namespace mirrorball::laws {

// The laws, and how far draws are from them.
//
// unimodal  y = exp(sin πx) + N(0, 0.4²)
//           x in [−1, 1], 200 rows; 130 cells of [−1.7, 4.8]
// crossing  y = x, cos x or −cos x, a third each, + N(0, 0.15²)
//           x in [−π/2, π/2], 3000 rows; 104 cells of [−2.6, 2.6]
// squares   (x, y) uniform in [−2, −1]×[−1, 0], [−0.5, 0.5]×[0.5, 1.5] and [1, 2]×[−1, 0]
//           600 rows; 70 cells of [−1.5, 2]; defined for x in one of the squares
// arcs      (y1, y2) = 0.6 x (cos t, sin t) + N(0, 0.1²) each, t uniform in [−3π/4, 3π/4]
//           x in [0, 1], 3000 rows; 40 × 40 cells of [−1.1, 1.1]²
//
// Data. x is uniform and independent from row to row; for arcs it is equidistant from 0 to 1. Each row has a
// random stream of its own. Rows of crossing take the branches in turn: each has a third, the first ones the
// remainder; rows of squares take one of the squares at random.
//
// Distances, one target. F is the law's distribution function at x, G that of the M draws, in steps of 1/M.
// - jsd and hellinger are taken between the probabilities p and q of cells, all 0.05 wide; the first and the
//   last also take what lies beyond. With m = (p + q)/2,
//     jsd = √(½ Σ p log2(p/m) + ½ Σ q log2(q/m)),  hellinger = √(½ Σ (√p − √q)²).
// - wasserstein = ∫ |F − G| dy and energy = √(2 ∫ (F − G)² dy), over all draws and the law's whole mass. G is
//   exact; F is taken as straight between neighbours among the draws and 2048 equal steps over the law's mass
//   (error of the first below 1e-5).
//
// Distances, two targets. Y below is uniform on 4096 points of a quasi-random sequence, spread like the law
// at x, the same in every call; X is uniform on the draws.
// - jsd and hellinger as above, on the 40 × 40 cells and one more for all that lies outside of them. The law
//   gives its cells integrals, not counts.
// - wasserstein is sliced: the mean over 32 equidistant directions of the half circle of Wasserstein-1
//   between the projections of X and Y.
// - energy = √(2 E‖X − Y‖ − E‖X − X'‖ − E‖Y − Y'‖). Of more than 4096 draws, 4096 at equal steps are taken.

/// At the door of all distances: whole joint draws, at least one, nothing but numbers.
void check_joint_draws(std::span<const double> draws, std::size_t targets);

/// What the laws share: the door, and the table around their numbers.
class KnownLaw : public Law {
 public:
  std::vector<double> positions(std::size_t count) const final;
  Table data(std::size_t rows, std::uint64_t seed) const final;
  double density(double x, std::span<const double> y) const final;
  double cdf(double x, std::span<const double> y) const final;
  std::vector<double> sample(std::span<const double> x, std::size_t count, std::uint64_t seed) const final;
  Distances distances(double x, std::span<const double> draws) const final;

  /// The numbers of `data`: x, then the targets, `rows` of each in one run.
  std::vector<double> columns(std::size_t rows, std::uint64_t seed) const;

 protected:
  /// One row: x first, then the targets, written `rows` apart.
  virtual void row(std::size_t row, std::size_t rows, std::uint64_t seed, double* out) const = 0;
  /// One joint draw from the law at x.
  virtual void draw(double x, Stream& stream, double* out) const = 0;
  virtual bool defined_at(double x) const;
  virtual std::string domain() const;  ///< where that is, in words

  // Behind the door: x is where the law is defined, sizes fit, all numbers are finite.
  virtual double density_at(double x, std::span<const double> y) const = 0;
  virtual double cdf_at(double x, std::span<const double> y) const = 0;
  virtual Distances distances_at(double x, std::span<const double> draws) const = 0;

 private:
  void check_x(double x) const;
  void check_y(std::span<const double> y) const;
};

const KnownLaw& unimodal_law();
const KnownLaw& crossing_law();
const KnownLaw& squares_law();
const KnownLaw& arcs_law();

}  // namespace mirrorball::laws
