#include "explain/question.h"

#include <algorithm>

namespace mirrorball::shap {

Question::Question(const ExplainOptions& options, std::size_t target, const Predictive& at_x)
    : options_(options), target_(target) {
  const std::vector<double> joint = at_x.joint_draws(0);
  for (std::size_t i = 0; i < at_x.samples(); ++i)
    if (options_.where.contains(std::span(joint).subspan(i * at_x.targets(), at_x.targets())))
      kept_.push_back(i);
  probability_ = static_cast<double>(kept_.size()) / static_cast<double>(at_x.samples());
}

std::size_t Question::least() const {
  const Functional::Kind kind = options_.of.kind;
  return kind == Functional::Kind::kRegion                                   ? 0
         : kind == Functional::Kind::kSd || kind == Functional::Kind::kWidth ? 2
                                                                             : 1;
}

std::optional<std::size_t> Question::only() const {
  return options_.of.kind == Functional::Kind::kRegion ? std::nullopt : std::optional(target_);
}

double Question::operator()(const Predictive& draws, std::size_t row) const {
  if (options_.of.kind == Functional::Kind::kRegion) return draws.probability(row, options_.where);
  const std::size_t target = draws.targets() == 1 ? 0 : target_;
  Predictive kept(1, kept_.size(), {draws.target_names()[target]});
  const std::span<const double> all = draws.draws(row, target);
  std::transform(kept_.begin(), kept_.end(), kept.draws(0).begin(), [all](std::size_t i) { return all[i]; });
  switch (options_.of.kind) {
    case Functional::Kind::kMean:
      return kept.mean(0);
    case Functional::Kind::kSd:
      return kept.sd(0);
    case Functional::Kind::kQuantile:
      return kept.quantile(options_.of.level, 0);
    default:
      break;
  }
  const auto [lower, upper] = kept.interval(options_.of.level, 0);
  return upper - lower;
}

}  // namespace mirrorball::shap
