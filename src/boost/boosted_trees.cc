#include "boost/boosted_trees.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace mirrorball::boost {

double BoostedTrees::mean_of_fold(std::size_t fold, std::span<const float> numbers,
                                  std::span<const std::int32_t> codes) const {
  const float* values = code_values.data() + fold * (code_values.size() / folds());
  const auto feature_of = [&](std::size_t feature) {
    if (feature < numbers.size()) return numbers[feature];
    const std::int32_t code = codes[feature - numbers.size()];
    return code < 0 ? 0.0f : values[code];
  };
  double sum = starts[fold];
  for (std::int32_t tree = fold_begin[fold]; tree < fold_begin[fold + 1]; ++tree) {
    const Node* node = &nodes[static_cast<std::size_t>(roots[static_cast<std::size_t>(tree)])];
    while (node->feature >= 0)
      node = &nodes[static_cast<std::size_t>(node->child) +
                    (feature_of(static_cast<std::size_t>(node->feature)) <= node->cut ? 0 : 1)];
    sum += node->cut;
  }
  return sum;
}

double BoostedTrees::mean(std::span<const float> numbers, std::span<const std::int32_t> codes) const {
  double sum = 0;
  for (std::size_t fold = 0; fold < folds(); ++fold) sum += mean_of_fold(fold, numbers, codes);
  return sum / static_cast<double>(folds());
}

void BoostedTrees::check(std::size_t numbers, std::size_t codes, std::size_t learned_rows) const {
  const std::size_t count = nodes.size(), features = numbers + codes;
  if (starts.empty() || fold_begin.size() != folds() + 1 || fold_begin.front() != 0 ||
      static_cast<std::size_t>(fold_begin.back()) != roots.size() || !std::ranges::is_sorted(fold_begin))
    bad_input("its boosted trees are inconsistent: {} folds, {} bounds and {} trees", folds(),
              fold_begin.size(), roots.size());
  if (code_values.size() != folds() * learned_rows)
    bad_input("its boosted trees have {} values of categories for {} folds of {}", code_values.size(),
              folds(), learned_rows);
  for (const std::int32_t root : roots)
    if (root < 0 || static_cast<std::size_t>(root) >= count)
      bad_input("its boosted trees have a root at node {} of {}", root, count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = nodes[i];
    if (!std::isfinite(node.cut)) bad_input("its boosted trees have a number that is not finite");
    if (node.feature < 0) continue;
    if (static_cast<std::size_t>(node.feature) >= features || node.child <= static_cast<std::int64_t>(i) ||
        static_cast<std::size_t>(node.child) + 1 >= count)
      bad_input("its boosted trees have node {} with feature {} of {} and child {} of {}", i, node.feature,
                features, node.child, count);
  }
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::ranges::all_of(starts, finite) || !std::ranges::all_of(code_values, finite))
    bad_input("its boosted trees have a number that is not finite");
}

}  // namespace mirrorball::boost
