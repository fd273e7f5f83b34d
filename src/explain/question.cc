#include "explain/question.h"

#include <algorithm>

namespace mirrorball::shap {

Question::Question(const ExplainOptions& options, std::size_t target, const Predictive& at_x)
    : options_(options), target_(target) {
  const std::vector<bool> given = options_.inside ? options_.inside(at_x) : std::vector<bool>();
  const std::vector<double> joint = at_x.joint_samples(0);
  for (std::size_t i = 0; i < at_x.samples(); ++i)
    if (options_.inside
            ? given.at(i)
            : options_.where.contains(std::span(joint).subspan(i * at_x.targets(), at_x.targets())))
      kept_.push_back(i);
  probability_ = static_cast<double>(kept_.size()) / static_cast<double>(at_x.samples());
}

std::size_t Question::least() const {
  const Functional::Kind kind = options_.of.kind;
  if (options_.number) return 1;
  return kind == Functional::Kind::kRegion                                   ? 0
         : kind == Functional::Kind::kSd || kind == Functional::Kind::kWidth ? 2
                                                                             : 1;
}

std::optional<std::size_t> Question::only() const {
  const bool of_all = options_.number || options_.of.kind == Functional::Kind::kRegion;
  return of_all ? std::nullopt : std::optional(target_);
}

Predictive Question::kept_samples(const Predictive& forecast) const {
  Predictive kept(forecast.rows(), kept_.size(), forecast.target_names());
  for (std::size_t row = 0; row < forecast.rows(); ++row)
    for (std::size_t t = 0; t < forecast.targets(); ++t) {
      const std::span<const double> all = forecast.row_samples(row, t);
      std::transform(kept_.begin(), kept_.end(), kept.row_samples(row, t).begin(),
                     [all](std::size_t i) { return all[i]; });
    }
  return kept;
}

void Question::answer(const Predictive& forecast, ThreadPool& pool, double* out) const {
  if (options_.number) {
    const std::span<double> numbers(out, forecast.rows());
    return kept_.size() == forecast.samples() ? options_.number(forecast, numbers)
                                              : options_.number(kept_samples(forecast), numbers);
  }
  constexpr std::size_t kTask = 16;
  pool.run((forecast.rows() + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
    for (std::size_t row = task * kTask; row < std::min(forecast.rows(), (task + 1) * kTask); ++row)
      out[row] = of_row(forecast, row);
  });
}

double Question::of_row(const Predictive& forecast, std::size_t row) const {
  if (options_.of.kind == Functional::Kind::kRegion) return forecast.probability(row, options_.where);
  const std::size_t target = forecast.targets() == 1 ? 0 : target_;
  Predictive kept(1, kept_.size(), {forecast.target_names()[target]});
  const std::span<const double> all = forecast.row_samples(row, target);
  std::transform(kept_.begin(), kept_.end(), kept.row_samples(0).begin(),
                 [all](std::size_t i) { return all[i]; });
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
