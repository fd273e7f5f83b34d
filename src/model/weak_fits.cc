#include <fmt/format.h>

#include "base/plain_number.h"
#include "mirrorball/fit_report.h"

namespace mirrorball {
namespace {

/// One of several targets may be there for its dependence on the others, and have nothing to gain from the
/// features.
constexpr double kLeastSkillOfSeveral = -0.02;

}  // namespace

std::vector<std::string> weak_fits(const FitReport& report) {
  std::vector<std::string> found;
  const double least = report.targets.size() > 1 ? kLeastSkillOfSeveral : 0;
  for (const TargetFit& target : report.targets)
    if (target.training_crps > 0 && target.skill() <= least)
      found.push_back(
          fmt::format("the forecasts of '{}' are no better than the training distribution (CRPS "
                      "{} against {}): train longer, or check the features",
                      target.name, plain_number(target.crps), plain_number(target.training_crps)));
  return found;
}

}  // namespace mirrorball
