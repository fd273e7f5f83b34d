#include "explain/checks.h"

#include <algorithm>

#include "base/error.h"
#include "base/plain_number.h"
#include "base/suggest.h"

namespace mirrorball::shap {
namespace {

/// Background rows have 16 bits in a composite row's key.
constexpr std::size_t kMostBackground = 10000;

}  // namespace

std::size_t target_of(const Model& model, const ExplainOptions& options) {
  const std::vector<std::string>& targets = model.targets();
  if (options.number) {
    if (!options.target.empty())
      bad_input("a function of the samples gets those of all targets: remove the target '{}'",
                options.target);
    return 0;
  }
  if (options.of.kind == Functional::Kind::kRegion) {
    if (options.inside)
      bad_input("explaining the probability of a region needs a region as text: use `number`");
    if (options.where.everything())
      bad_input("explaining the probability of a region needs a region: give one, for example {} > 0.5",
                targets.front());
    if (!options.target.empty())
      bad_input("the probability of a region involves all targets: remove the target '{}'", options.target);
    return 0;
  }
  if (options.target.empty() && targets.size() > 1) {
    if (const std::optional<std::size_t> only = options.where.only_target()) return *only;
    bad_input("the model has {} targets ({}): name the target to explain", targets.size(), listing(targets));
  }
  const auto found =
      options.target.empty() ? targets.begin() : std::find(targets.begin(), targets.end(), options.target);
  if (found == targets.end())
    bad_input("the model has no target '{}'; its targets are {}{}", options.target, listing(targets),
              did_you_mean(options.target, targets));
  return static_cast<std::size_t>(found - targets.begin());
}

void check_rows(const Table& table, std::span<const std::size_t> rows) {
  if (rows.empty()) bad_input("no rows to explain: give at least 1");
  for (std::size_t row : rows)
    if (row >= table.rows())
      bad_input("row {} does not exist: {} has {} rows, numbered from 0", row,
                table.source().empty() ? "the table" : table.source(), table.rows());
}

void check_background(const Table& background, std::size_t rows) {
  if (background.rows() == 0) bad_input("the background has no rows: at least 1 is needed");
  if (rows < 1 || rows > kMostBackground)
    bad_input("background_rows {} is out of range: use 1 to {}", rows, kMostBackground);
}

void refuse_empty(std::size_t row, const Region& where, const Predictive& at_x) {
  std::string ranges;
  for (std::size_t t = 0; t < at_x.targets(); ++t) {
    const auto [low, high] =
        std::minmax_element(at_x.row_samples(0, t).begin(), at_x.row_samples(0, t).end());
    ranges += fmt::format("{}{} from {} to {}", t == 0 ? "" : ", ", at_x.target_names()[t],
                          plain_number(*low), plain_number(*high));
  }
  bad_input(
      "row {}: the region{}{} contains none of its {} samples ({}): widen the region, use more samples or "
      "choose another row",
      row, where.everything() ? "" : " ", where.text(), at_x.samples(), ranges);
}

}  // namespace mirrorball::shap
