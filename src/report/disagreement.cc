#include "report/disagreement.h"

#include <algorithm>
#include <numeric>

namespace mirrorball::report {
namespace {

constexpr std::size_t kGroups = 5, kLeastGroup = 10;

Disagreement::Mean mean_of(const Forecasts& all, std::size_t target, std::span<const std::size_t> rows) {
  Disagreement::Mean mean{rows.size()};
  const double n = static_cast<double>(rows.size());
  for (const std::size_t row : rows) {
    const RowForecast& one = all.at(row, target);
    mean.aleatoric += one.aleatoric / n;
    mean.epistemic += one.epistemic / n;
    mean.crps += one.crps / n;
  }
  return mean;
}

}  // namespace

Disagreement disagreement(const Forecasts& all, std::size_t target) {
  std::vector<std::size_t> order(all.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all.at(a, target).epistemic < all.at(b, target).epistemic;
  });
  Disagreement found;
  found.all = mean_of(all, target, order);
  const std::size_t groups = std::min(kGroups, all.rows / kLeastGroup);
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t begin = group * all.rows / groups, end = (group + 1) * all.rows / groups;
    found.groups.push_back(mean_of(all, target, std::span(order).subspan(begin, end - begin)));
  }
  return found;
}

}  // namespace mirrorball::report
