#include "report/references.h"

#include <algorithm>
#include <cmath>

#include "score/forecast.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kSamples = 999;  ///< equally likely quantiles; as many as most models keep

}  // namespace

void Reference::finish() {
  mae = mean_of(rows.absolute);
  rmse = std::sqrt(mean_of(rows.squared));
  crps = mean_of(rows.crps);
}

Reference training_quantiles(const TrainingColumn& training, std::span<const double> observed,
                             std::span<const double> coverages) {
  std::vector<double> samples(kSamples);
  for (std::size_t i = 0; i < kSamples; ++i)
    samples[i] = training.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kSamples));
  const double median = training.quantile(0.5), mean = training.mean(), low = training.quantile(0.05),
               high = training.quantile(0.95), n = static_cast<double>(observed.size());
  Reference result{.name = "Training distribution", .rows = RowErrors(observed.size())};
  result.rows.add_intervals();
  for (std::size_t row = 0; row < observed.size(); ++row) {
    const double y = observed[row];
    result.rows.absolute[row] = std::fabs(y - median);
    result.rows.squared[row] = (y - mean) * (y - mean);
    result.rows.crps[row] = scoring::sorted_crps(samples, y, false);
    result.rows.width[row] = high - low;
    result.rows.inside[row] = low <= y && y <= high;
  }
  result.finish();
  for (double coverage : coverages) {
    const double from = training.quantile((1 - coverage) / 2), to = training.quantile((1 + coverage) / 2);
    const auto inside =
        std::count_if(observed.begin(), observed.end(), [&](double y) { return from <= y && y <= to; });
    result.widths.push_back(to - from);
    result.coverages.push_back(static_cast<double>(inside) / n);
  }
  return result;
}

Reference training_mean(const TrainingColumn& training, std::span<const double> observed) {
  const double mean = training.mean();
  Reference result{.name = "Training mean", .rows = RowErrors(observed.size())};
  for (std::size_t row = 0; row < observed.size(); ++row) {
    result.rows.absolute[row] = result.rows.crps[row] = std::fabs(observed[row] - mean);
    result.rows.squared[row] = std::pow(observed[row] - mean, 2);
  }
  result.finish();
  return result;
}

double skill(double model, double reference) { return reference > 0 ? 1 - model / reference : 0; }

}  // namespace mirrorball::report
