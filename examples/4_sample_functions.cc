// Sample functions: one draw of the noise followed along a feature.
#include <mirrorball/mirrorball.h>

#include <cstdio>
#include <vector>

int main() {
  // y is x, cos x or -cos x, plus noise: three curves that cross.
  const mirrorball::Law& law = mirrorball::Law::named("crossing");
  mirrorball::Options options;
  options.networks = 1;
  options.width = 64;
  options.epochs = 100;
  options.calibrate = mirrorball::Calibrate::kNone;  // functions are of the networks alone
  const mirrorball::Model model = mirrorball::fit(law.data(3000, 1), {{"y"}, "", {}}, options);

  const std::vector<double> positions = law.positions(7);
  mirrorball::Table grid;
  grid.add_numbers("x", positions);
  const mirrorball::Predictive draws = model.predict(grid, {200, 1, 0, false});  // the networks' own
  std::printf("       x");
  for (double x : positions) std::printf("%7.2f", x);
  for (std::size_t function = 0; function < 5; ++function) {
    std::printf("\ndraw %zu  ", function + 1);
    for (std::size_t point = 0; point < positions.size(); ++point)
      std::printf("%7.2f", draws.row_samples(point)[function]);
  }
  const std::vector<double> there(draws.row_samples(1).begin(), draws.row_samples(1).end());
  const mirrorball::Distances found = law.distances(positions[1], there);
  std::printf("\nWasserstein distance to the law at x = %.2f: %.3f\n", positions[1], found.wasserstein);
  return found.wasserstein < 0.4 ? 0 : 1;
}
