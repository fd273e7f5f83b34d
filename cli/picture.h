#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace mirrorball::cli {

struct Dots {
  std::string title;
  std::vector<double> x, y;
};

/// Panels of dots side by side, all on one scale, as an SVG that reads in light and in dark surroundings.
void write_picture(const std::vector<Dots>& panels, std::ostream& out);

}  // namespace mirrorball::cli
