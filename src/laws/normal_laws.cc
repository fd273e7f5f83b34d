#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/normal.h"
#include "base/random.h"
#include "laws/line_law.h"

namespace mirrorball::laws {
namespace {

// Eight standard deviations leave out 1e-15.
constexpr double kReach = 8;

/// An equal mixture of kBranches normals with one standard deviation:
///   p(y | x) = 1/K Σ_k N(y; μ_k(x), σ²),  F(y | x) = 1/K Σ_k Φ((y − μ_k(x))/σ)
template <std::size_t kBranches>
class NormalLaw : public LineLaw {
 protected:
  using Means = std::array<double, kBranches>;

  NormalLaw(double sd, std::uint32_t number) : sd_(sd), number_(number) {}

  virtual Means means(double x) const = 0;

 private:
  void row(std::size_t row, std::size_t rows, std::uint64_t seed, double* out) const final {
    Stream stream(seed, Purpose::kData, static_cast<std::uint32_t>(row), number_);
    out[0] = low() + (high() - low()) * stream.uniform_double();
    out[rows] = means(out[0])[row % kBranches] + sd_ * stream.normal();
  }

  void draw(double x, Stream& stream, double* out) const final {
    const double mean = means(x)[stream.below(kBranches)];
    *out = mean + sd_ * stream.normal();
  }

  double line_density(double x, double y) const final {
    double sum = 0;
    for (const double mean : means(x)) sum += std::exp(-0.5 * (y - mean) * (y - mean) / (sd_ * sd_));
    return sum / (kBranches * sd_ * std::sqrt(2 * std::numbers::pi));
  }

  double line_cdf(double x, double y) const final {
    double sum = 0;
    for (const double mean : means(x)) sum += normal_cdf((y - mean) / sd_);
    return sum / kBranches;
  }

  Range mass(double x) const final {
    const Means all = means(x);
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return {*least - kReach * sd_, *most + kReach * sd_};
  }

  double sd_;
  std::uint32_t number_;
};

class Unimodal final : public NormalLaw<1> {
 public:
  Unimodal() : NormalLaw(0.4, 0) {}
  std::string name() const override { return "unimodal"; }
  std::size_t default_rows() const override { return 200; }
  double low() const override { return -1; }
  double high() const override { return 1; }

 private:
  Means means(double x) const override { return {std::exp(std::sin(std::numbers::pi * x))}; }
  Range cells() const override { return {-1.7, 4.8}; }
};

class Crossing final : public NormalLaw<3> {
 public:
  Crossing() : NormalLaw(0.15, 1) {}
  std::string name() const override { return "crossing"; }
  std::size_t default_rows() const override { return 3000; }
  double low() const override { return -std::numbers::pi / 2; }
  double high() const override { return std::numbers::pi / 2; }

 private:
  Means means(double x) const override { return {x, std::cos(x), -std::cos(x)}; }
  Range cells() const override { return {-2.6, 2.6}; }
};

}  // namespace

const KnownLaw& unimodal_law() {
  static const Unimodal law;
  return law;
}

const KnownLaw& crossing_law() {
  static const Crossing law;
  return law;
}

}  // namespace mirrorball::laws
