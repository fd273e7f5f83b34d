#include "report/references.h"

#include <cmath>

#include "score/forecast.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kDraws = 999;  ///< equally likely quantiles; as many as most models keep

}  // namespace

Reference training_quantiles(const TrainingColumn& training, std::span<const double> observed,
                             std::span<const double> coverages) {
  std::vector<double> draws(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i)
    draws[i] = training.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kDraws));
  const double median = training.quantile(0.5), mean = training.mean(),
               n = static_cast<double>(observed.size());
  Reference result;
  for (double y : observed) {
    result.mae += std::fabs(y - median) / n;
    result.rmse += (y - mean) * (y - mean) / n;
    result.crps += scoring::sorted_crps(draws, y, false) / n;
  }
  result.rmse = std::sqrt(result.rmse);
  for (double coverage : coverages) {
    const double low = training.quantile((1 - coverage) / 2), high = training.quantile((1 + coverage) / 2);
    std::size_t inside = 0;
    for (double y : observed) inside += low <= y && y <= high;
    result.widths.push_back(high - low);
    result.coverages.push_back(static_cast<double>(inside) / n);
  }
  return result;
}

Reference training_mean(const TrainingColumn& training, std::span<const double> observed) {
  const double mean = training.mean(), n = static_cast<double>(observed.size());
  Reference result;
  for (double y : observed) {
    result.mae += std::fabs(y - mean) / n;
    result.rmse += (y - mean) * (y - mean) / n;
  }
  result.rmse = std::sqrt(result.rmse);
  result.crps = result.mae;
  return result;
}

double skill(double model, double reference) { return reference > 0 ? 1 - model / reference : 0; }

}  // namespace mirrorball::report
