#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "mirrorball/model.h"

namespace mirrorball::toy {

/// A small table with everything in it: numbers with and without gaps, a category, weights, two targets.
inline Table table(std::size_t rows, std::uint64_t seed = 1) {
  std::vector<double> a(rows), b(rows), weight(rows), y(rows), z(rows);
  std::vector<std::string> kind(rows);
  Stream random(seed, Purpose::kTest);
  for (std::size_t i = 0; i < rows; ++i) {
    a[i] = random.normal();
    b[i] = random.uniform_double() < 0.2 ? NAN : random.normal();
    kind[i] = random.uniform_double() < 0.1 ? "" : random.uniform_double() < 0.5 ? "left" : "right";
    weight[i] = 0.5 + random.uniform_double();
    y[i] = a[i] + (kind[i] == "left" ? -2 : 2) + 0.3 * random.normal();
    z[i] = 100 + 10 * (std::isnan(b[i]) ? 3 : b[i]) + random.normal();
  }
  Table made;
  made.add_numbers("a", a);
  made.add_numbers("b", b);
  made.add_categories("kind", kind);
  made.add_numbers("weight", weight);
  made.add_numbers("y", y);
  made.add_numbers("z", z);
  return made;
}

inline Roles roles() { return {{"y", "z"}, "weight", {}}; }

/// Enough training to see that something was learned, in a second.
inline Options options() {
  Options quick;
  quick.networks = 2;
  quick.width = 32;
  quick.cosines = 32;
  quick.epochs = 30;
  quick.min_steps = 0;
  quick.learning_rate = 5e-3;
  quick.forest = 16;
  quick.gaussian_process = 0;
  quick.boosting = 0;
  quick.neighbours = 0;
  quick.seed = 4;
  return quick;
}

}  // namespace mirrorball::toy
