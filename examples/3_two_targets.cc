// Two targets learned jointly: how probable is a region of both?
#include <mirrorball/mirrorball.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  // A point on a ring: each coordinate alone says little, the two together nearly everything.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any_radius(1, 3), any_angle(0, 6.283185307179586);
  std::normal_distribution<double> noise(0, 0.05);
  std::vector<double> radius, east, north;
  for (int i = 0; i < 3000; ++i) {
    const double angle = any_angle(random);
    radius.push_back(any_radius(random));
    east.push_back(radius.back() * std::cos(angle) + noise(random));
    north.push_back(radius.back() * std::sin(angle) + noise(random));
  }
  mirrorball::Table points;
  points.add_numbers("radius", radius);
  points.add_numbers("east", east);
  points.add_numbers("north", north);

  mirrorball::Options options;
  options.networks = 1;
  options.width = 64;
  options.neighbours = 0;  // they would take most of the time here
  const mirrorball::Model model = mirrorball::fit(std::move(points), {{"east", "north"}, "", {}}, options);

  mirrorball::Table question;
  question.add_numbers("radius", std::vector<double>{2});
  const mirrorball::Predictive draws = model.predict(question, {5000, 1, 0});
  const double inside = draws.probability(0, [](auto y) { return std::hypot(y[0], y[1]) < 1; });
  const double corner = draws.probability(0, [](auto y) { return y[0] > 0 && y[1] > 0; });
  std::printf("radius 2: within 1 of the middle with probability %.3f (truly 0)\n", inside);
  std::printf("          in the north-east with probability %.3f (truly 0.25)\n", corner);
  return inside < 0.15 && std::abs(corner - 0.25) < 0.08 ? 0 : 1;
}
