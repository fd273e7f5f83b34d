#include "model/far_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "base/order_statistics.h"

namespace mirrorball::model {
namespace {

/// Fewer rows do not show how far the values of a column spread.
constexpr std::size_t kFewestRows = 30;
/// Errors are few: of a thousand values at most one, but no fewer than this many may be.
constexpr std::size_t kFewErrors = 3;
/// How much further out than the others' farthest a value must lie, at least.
constexpr double kFar = 10;
/// In a tail of power laws the logarithm of the ratio of the two farthest values is exponential with the mean
/// of Hill's estimate: so many times its mean is hardly ever exceeded.
constexpr double kTailMeans = 12;

/// Distances from the median on one side, the farthest first. Only the outer twentieth matters, and what
/// errors there may be.
struct Tail {
  std::vector<double> distance;

  /// Hill's estimate from those behind the first `few`: the mean log of their ratio to the last.
  double mean_log(std::size_t few) const {
    double sum = 0;
    for (std::size_t i = few; i + 1 < distance.size(); ++i) sum += std::log(distance[i] / distance.back());
    return sum / static_cast<double>(distance.size() - few - 1);
  }

  /// How many of the farthest are too far for the rest.
  std::size_t errors(std::size_t most) const {
    for (std::size_t few = std::min(most, distance.size() - 1); few > 0; --few) {
      if (few + 2 > distance.size() || !(distance[few] > 0) || !(distance.back() > 0)) continue;
      const double ratio = distance[few - 1] / distance[few];
      if (ratio > kFar && std::log(ratio) > kTailMeans * mean_log(few)) return few;
    }
    return 0;
  }
};

/// The values on both sides that lie too far out.
std::vector<double> far_values(const std::vector<double>& sorted) {
  const double middle = sorted_median(sorted);
  const std::size_t rows = sorted.size(), most = std::max(kFewErrors, rows / 1000),
                    outer = std::max<std::size_t>(rows / 20, 10) + most;
  Tail above, below;
  for (std::size_t i = 0; i < std::min(outer, rows); ++i) {
    above.distance.push_back(sorted[rows - 1 - i] - middle);
    below.distance.push_back(middle - sorted[i]);
  }
  std::vector<double> far;
  for (std::size_t i = 0; i < below.errors(most); ++i) far.push_back(sorted[i]);
  for (std::size_t i = 0; i < above.errors(most); ++i) far.push_back(sorted[rows - 1 - i]);
  return far;
}

}  // namespace

std::optional<std::string> far_target(const std::vector<double>& values, const std::string& name) {
  if (values.size() < kFewestRows) return {};
  const std::vector<double> sorted = sorted_copy(values), far = far_values(sorted);
  if (far.empty()) return {};
  const auto is_far = [&](double value) { return contains(far, value); };
  const auto least = std::find_if_not(sorted.begin(), sorted.end(), is_far);
  const auto most = std::find_if_not(sorted.rbegin(), sorted.rend(), is_far);
  const auto row = std::find_if(values.begin(), values.end(), is_far) - values.begin();
  return fmt::format(
      "the target '{}' has {} far from all others: {:g} in data row {}{}, while the others lie between {:g} "
      "and {:g}; correct or remove {} if {} not real",
      name, far.size() == 1 ? "a value" : fmt::format("{} values", far.size()),
      values[static_cast<std::size_t>(row)], row + 1,
      far.size() == 1 ? "" : fmt::format(" and {} more", far.size() - 1), *least, *most,
      far.size() == 1 ? "it" : "them", far.size() == 1 ? "it is" : "they are");
}

}  // namespace mirrorball::model
