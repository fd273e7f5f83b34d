// From a table in memory to quantiles and an interval: how long will the journey take?
#include <mirrorball/mirrorball.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

int main() {
  // Minutes on the road: by distance, by weather, and more uncertain the longer the way is.
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any_distance(5, 100);
  std::normal_distribution<double> luck;
  std::vector<double> distance, minutes;
  std::vector<std::string> weather;
  for (int i = 0; i < 2000; ++i) {
    distance.push_back(any_distance(random));
    weather.push_back(i % 4 == 0 ? "snow" : "dry");
    const double pace = weather.back() == "snow" ? 1.5 : 1.0;
    minutes.push_back(distance.back() * (pace + 0.1 * luck(random)));
  }
  mirrorball::Table journeys;
  journeys.add_numbers("distance", distance);
  journeys.add_categories("weather", weather);
  journeys.add_numbers("minutes", minutes);

  mirrorball::Options options;
  options.networks = 1;  // the default of six is better, and takes six times as long
  options.width = 64;
  const mirrorball::Model model = mirrorball::fit(std::move(journeys), {{"minutes"}, "", {}}, options);

  mirrorball::Table questions;
  questions.add_numbers("distance", std::vector<double>{50, 50});
  questions.add_categories("weather", std::vector<std::string>{"dry", "snow"});
  const mirrorball::Predictive answer = model.predict(questions);
  for (std::size_t row = 0; row < 2; ++row) {
    const auto [early, late] = answer.interval(0.9, row);
    std::printf("50 km, %-4s: median %.0f minutes, 90%% between %.0f and %.0f; 9 of 10 times below %.0f\n",
                row == 0 ? "dry" : "snow", answer.quantile(0.5, row), early, late, answer.quantile(0.9, row));
  }
  const bool plausible = answer.quantile(0.5, 0) > 45 && answer.quantile(0.5, 0) < 55 &&
                         answer.quantile(0.5, 1) > 69 && answer.quantile(0.5, 1) < 81 && answer.sd(0) > 2;
  return plausible ? 0 : 1;
}
