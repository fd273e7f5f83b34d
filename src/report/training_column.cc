#include "report/training_column.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/normal.h"

namespace mirrorball::report {
namespace {

/// One value in 16,000 of a normal distribution lies further out.
constexpr double kFar = 4;

/// Share of the training values before x, which lies right before the knot `next`.
double share_before(const std::vector<double>& knots, std::vector<double>::const_iterator next, double x) {
  if (next == knots.begin()) return 0;
  if (next == knots.end()) return 1;
  const double at = static_cast<double>(next - knots.begin()) - 1 + (x - next[-1]) / (*next - next[-1]);
  return at / static_cast<double>(knots.size() - 1);
}

}  // namespace

double TrainingColumn::low() const {
  const auto& knots = column_.knots;
  return has_quantiles() ? knots.front() : knots[0] - kFar * knots[1];
}

double TrainingColumn::high() const {
  const auto& knots = column_.knots;
  return has_quantiles() ? knots.back() : knots[0] + kFar * knots[1];
}

double TrainingColumn::slack() const {
  const double spread = high() - low();
  return 1e-6 * (spread > 0 ? spread : std::fabs(low()));
}

double TrainingColumn::quantile(double level) const { return column_.training_quantile(level); }

double TrainingColumn::mean() const {
  const auto& knots = column_.knots;
  if (!has_quantiles()) return knots[0];
  // Knots are equal steps of probability: the trapezoid rule over them.
  const double inner =
      std::accumulate(knots.begin(), knots.end(), 0.0) - 0.5 * (knots.front() + knots.back());
  return inner / static_cast<double>(knots.size() - 1);
}

double TrainingColumn::sd() const {
  const auto& knots = column_.knots;
  if (!has_quantiles()) return knots[1];
  // The mean square of a line from a to b is (a² + ab + b²) / 3; the trapezoid rule would let one far end
  // count too much.
  const double middle = mean();
  double sum = 0;
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double a = knots[i] - middle, b = knots[i + 1] - middle;
    sum += (a * a + a * b + b * b) / 3;
  }
  return std::sqrt(sum / static_cast<double>(knots.size() - 1));
}

double TrainingColumn::below(double x) const {
  const auto& knots = column_.knots;
  if (!has_quantiles()) return knots[1] > 0 ? normal_cdf((x - knots[0]) / knots[1]) : x > knots[0];
  x -= slack();
  return share_before(knots, std::lower_bound(knots.begin(), knots.end(), x), x);
}

double TrainingColumn::at_or_below(double x) const {
  const auto& knots = column_.knots;
  if (!has_quantiles()) return knots[1] > 0 ? normal_cdf((x - knots[0]) / knots[1]) : x >= knots[0];
  x += slack();
  return share_before(knots, std::upper_bound(knots.begin(), knots.end(), x), x);
}

double TrainingColumn::rank(double x) const {
  const double less = below(x), more = 1 - at_or_below(x);
  return less + more > 0 ? less / (less + more) : 0.5;
}

}  // namespace mirrorball::report
