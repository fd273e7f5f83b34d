#include "picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mirrorball::cli {
namespace {

constexpr double kWidth = 400, kHeight = 320, kLeft = 36, kTop = 34, kGap = 24, kBottom = 30;

struct Scale {
  double low, high, from, to;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

Scale scale_of(const std::vector<Dots>& panels, std::vector<double> Dots::*axis, double from, double to) {
  double low = INFINITY, high = -INFINITY;
  for (const Dots& panel : panels)
    for (double value : panel.*axis) low = std::min(low, value), high = std::max(high, value);
  const double margin = 0.04 * std::max(high - low, 1e-9);
  return {low - margin, high + margin, from, to};
}

/// Whole numbers inside the range: what the axes are marked with.
std::vector<double> marks(const Scale& scale) {
  std::vector<double> all;
  for (double at = std::ceil(scale.low); at <= scale.high; at += 1) all.push_back(at);
  return all;
}

void write_panel(const Dots& panel, double left, const Scale& x, const Scale& y, std::ostream& out) {
  out << fmt::format("<g transform='translate({:.0f},0)'>\n<text class='title' x='0' y='{:.0f}'>{}</text>\n",
                     left, kTop - 14, panel.title);
  out << fmt::format("<rect x='0' y='{:.0f}' width='{:.0f}' height='{:.0f}'/>\n", kTop, kWidth, kHeight);
  for (double at : marks(x))
    out << fmt::format("<text text-anchor='middle' x='{:.1f}' y='{:.0f}'>{:g}</text>\n", x(at),
                       kTop + kHeight + 18, at);
  for (double at : marks(y))
    out << fmt::format("<text text-anchor='end' x='-7' y='{:.1f}'>{:g}</text>\n", y(at) + 4, at);
  out << "<path d='";
  for (std::size_t i = 0; i < panel.x.size(); ++i)
    out << fmt::format("M{:.1f} {:.1f}h0", x(panel.x[i]), y(panel.y[i]));
  out << "'/>\n</g>\n";
}

}  // namespace

void write_picture(const std::vector<Dots>& panels, std::ostream& out) {
  const double count = static_cast<double>(panels.size());
  const double width = count * (kLeft + kWidth + kGap), height = kTop + kHeight + kBottom;
  const Scale x = scale_of(panels, &Dots::x, 0, kWidth), y = scale_of(panels, &Dots::y, kTop + kHeight, kTop);
  out << fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {:.0f} {:.0f}' font-family='sans-serif'>\n",
      width, height);
  out << "<style>text{font-size:13px;fill:#777}.title{font-size:15px}rect{fill:none;stroke:#999;stroke-width:"
         ".7}path{fill:none;stroke:#2a7fb8;stroke-opacity:.45;stroke-width:2.6;stroke-linecap:round}</"
         "style>\n";
  double left = kLeft;
  for (const Dots& panel : panels) {
    write_panel(panel, left, x, y, out);
    left += kLeft + kWidth + kGap;
  }
  out << "</svg>\n";
}

}  // namespace mirrorball::cli
