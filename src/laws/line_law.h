#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "laws/known_law.h"

namespace mirrorball::laws {

struct Range {
  double low, high;
};

/// Distances between draws and a law on the line, as told in known_law.h. `cells` is the range that is cut
/// into cells; `mass` must hold all but 1e-12 of the law.
Distances line_distances(const std::function<double(double)>& cdf, Range mass, Range cells,
                         std::span<const double> draws);

/// A law with one target y.
class LineLaw : public KnownLaw {
 public:
  std::vector<std::string> target_names() const final { return {"y"}; }

 protected:
  virtual double line_density(double x, double y) const = 0;
  virtual double line_cdf(double x, double y) const = 0;
  virtual Range mass(double x) const = 0;
  virtual Range cells() const = 0;

 private:
  double density_at(double x, std::span<const double> y) const final { return line_density(x, y[0]); }
  double cdf_at(double x, std::span<const double> y) const final { return line_cdf(x, y[0]); }
  Distances distances_at(double x, std::span<const double> draws) const final {
    return line_distances([this, x](double y) { return line_cdf(x, y); }, mass(x), cells(), draws);
  }
};

}  // namespace mirrorball::laws
