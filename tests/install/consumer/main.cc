// What a stranger's program needs of the installed package: headers, the library and all it links.
#include <mirrorball/mirrorball.h>

#include <cstdio>

int main() {
  mirrorball::Options options;
  options.networks = 1;
  options.width = 8;
  options.epochs = 1;
  options.min_steps = 0;
  const mirrorball::Law& law = mirrorball::Law::named("crossing");
  const mirrorball::Model model = mirrorball::fit(law.data(100, 1), {{"y"}, "", {}}, options);
  model.save("consumer.mirrorball");
  const mirrorball::Predictive draws = mirrorball::Model::load("consumer.mirrorball").predict(law.data(3, 2));
  std::printf("mirrorball %s: %zu rows of %zu draws\n", MIRRORBALL_VERSION, draws.rows(), draws.samples());
  return draws.rows() == 3 && draws.samples() == mirrorball::kSummarySamples ? 0 : 1;
}
