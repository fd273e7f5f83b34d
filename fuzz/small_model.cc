#include "small_model.h"

#include <cmath>
#include <vector>

namespace mirrorball::fuzz {
namespace {

/// As many as a fit must have before it takes a forest, a Gaussian process and boosted trees.
constexpr std::size_t kRows = 48, kExpertRows = 300;

Table small_table(std::size_t rows) {
  std::vector<double> a(rows), b(rows), y(rows), z(rows);
  std::vector<std::string> kind(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto t = static_cast<double>(i);
    a[i] = 1.7e9 + 86400 * t;
    b[i] = i % 5 == 0 ? NAN : std::sin(t);
    kind[i] = i % 7 == 0 ? "" : i % 2 == 0 ? "left" : "right";
    y[i] = std::cos(t) + (i % 2 == 0 ? 1 : 0);
    z[i] = 100 + 10 * std::sin(3 * t);
  }
  Table table;
  table.add_numbers("a", a);
  table.set_dates(0);
  table.add_numbers("b", b);
  table.add_categories("kind", kind);
  table.add_numbers("y", y);
  table.add_numbers("z 2", z);
  return table;
}

Options small_options() {
  Options options;
  options.networks = 1;
  options.width = 8;
  options.layers = 1;
  options.cosines = 4;
  options.draws = 4;
  options.noise_grid = 8;
  options.waves = 2;
  options.knots = 8;
  options.epochs = 1;
  options.min_steps = 0;
  options.valid_samples = 4;
  options.forest = 2;
  options.boosting = 20;
  options.neighbours = 0;
  options.refit = false;
  options.threads = 1;
  return options;
}

}  // namespace

Model small_model() { return fit(small_table(kRows), {{"y", "z 2"}, "", {}}, small_options()); }

Model small_model_with_experts() { return fit(small_table(kExpertRows), {{"y"}, "", {}}, small_options()); }

const std::string& small_model_bytes() {
  static const std::string bytes = small_model().to_bytes();
  return bytes;
}

const std::string& small_model_with_experts_bytes() {
  static const std::string bytes = small_model_with_experts().to_bytes();
  return bytes;
}

}  // namespace mirrorball::fuzz
