// Scores of draws from any source: an ensemble, a simulator, somebody else's model.
#include <mirrorball/mirrorball.h>

#include <cstdio>
#include <random>
#include <vector>

namespace {

/// A forecast of the same normal distribution for every row.
mirrorball::Predictive normal_forecast(std::size_t rows, double mean, double sd) {
  mirrorball::Predictive forecast(rows, 300, {"y"});
  std::mt19937 random(2);
  std::normal_distribution<double> normal(mean, sd);
  for (std::size_t row = 0; row < rows; ++row)
    for (double& draw : forecast.row_samples(row)) draw = normal(random);
  return forecast;
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::normal_distribution<double> truth(3, 1);
  std::vector<double> observed(2000);
  for (double& y : observed) y = truth(random);

  struct {
    const char* name;
    double mean, sd;
  } const rivals[] = {{"the truth", 3, 1}, {"off by one", 4, 1}, {"too sure", 3, 0.3}, {"too vague", 3, 3}};
  double best = 0;
  bool truth_wins = true;
  for (const auto& rival : rivals) {
    const mirrorball::Scores scores =
        mirrorball::score(normal_forecast(observed.size(), rival.mean, rival.sd), observed);
    const mirrorball::TargetScores& y = scores.targets[0];
    std::printf("%-10s  CRPS %.3f   NLL %.2f   90%% interval covers %.0f%%\n", rival.name, y.crps.mean,
                y.nll.mean, 100 * y.intervals[1].coverage);
    if (best == 0) best = y.crps.mean;  // the first is the truth
    truth_wins = truth_wins && y.crps.mean >= best;
  }
  return truth_wins ? 0 : 1;
}
