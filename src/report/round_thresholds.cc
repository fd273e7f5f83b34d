#include "report/round_thresholds.h"

#include <algorithm>
#include <cmath>

#include "report/forecasts.h"
#include "report/training_column.h"

namespace mirrorball::report {
namespace {

constexpr double kThresholdSteps = 20;  ///< of the training spread, at least
constexpr double kOftenRepeated = 0.01;

/// The largest of 1, 2 and 5 times a power of ten that is not more than x.
double round_step(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

}  // namespace

std::vector<double> round_thresholds(const ColumnSchema& target) {
  const TrainingColumn training(target);
  const double spread = training.quantile(0.95) - training.quantile(0.05);
  const double step = spread > 0 ? round_step(spread / kThresholdSteps) : 0;
  std::vector<double> result;
  for (std::size_t k = 1; k <= RowForecast::kThresholds; ++k) {
    const double exact = training.quantile(static_cast<double>(k) / (RowForecast::kThresholds + 1));
    const bool repeated = training.at_or_below(exact) - training.below(exact) > kOftenRepeated;
    const double round =
        step > 0 ? static_cast<float>(step * std::round(exact / step)) : exact;  // as in tables
    result.push_back(repeated || round <= training.low() || round >= training.high() ? exact : round);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace mirrorball::report
