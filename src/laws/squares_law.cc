#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/random.h"
#include "laws/line_law.h"

namespace mirrorball::laws {
namespace {

/// Unit squares by their lower left corners. They share no x, so p(y | x) is uniform over one of them.
struct Square {
  double x, y;
};
constexpr std::array<Square, 3> kSquares = {{{-2, -1}, {-0.5, 0.5}, {1, -1}}};
constexpr double kEdgeSlack = 1e-9;

const Square* square_over(double x) {
  const auto over = [x](const Square& s) { return x >= s.x - kEdgeSlack && x <= s.x + 1 + kEdgeSlack; };
  const auto found = std::find_if(kSquares.begin(), kSquares.end(), over);
  return found == kSquares.end() ? nullptr : &*found;
}

class Squares final : public LineLaw {
 public:
  std::string name() const override { return "squares"; }
  std::size_t default_rows() const override { return 600; }
  double low() const override { return kSquares.front().x; }
  double high() const override { return kSquares.back().x + 1; }

 private:
  void row(std::size_t row, std::size_t rows, std::uint64_t seed, double* out) const override {
    Stream stream(seed, Purpose::kData, static_cast<std::uint32_t>(row), 2);
    const Square& square = kSquares[stream.below(kSquares.size())];
    out[0] = square.x + stream.uniform_double();
    out[rows] = square.y + stream.uniform_double();
  }

  void draw(double x, Stream& stream, double* out) const override {
    *out = square_over(x)->y + stream.uniform_double();
  }

  bool defined_at(double x) const override { return square_over(x) != nullptr; }

  std::string domain() const override {
    std::string text;
    for (const Square& square : kSquares)
      text += fmt::format("{}{} <= x <= {}", text.empty() ? "" : ", ", square.x, square.x + 1);
    return text;
  }

  double line_density(double x, double y) const override {
    const double bottom = square_over(x)->y;
    return y >= bottom && y <= bottom + 1 ? 1 : 0;
  }

  double line_cdf(double x, double y) const override { return std::clamp(y - square_over(x)->y, 0.0, 1.0); }

  Range mass(double x) const override { return {square_over(x)->y, square_over(x)->y + 1}; }
  Range cells() const override { return {-1.5, 2}; }
};

}  // namespace

const KnownLaw& squares_law() {
  static const Squares law;
  return law;
}

}  // namespace mirrorball::laws
