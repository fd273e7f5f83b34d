#include "mirrorball/explain.h"

#include <algorithm>

#include "explain/checks.h"

namespace mirrorball {
namespace {

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void append_row(Explanation& to, const Explanation& one) {
  append(to.rows, one.rows);
  append(to.values, one.values);
  append(to.errors, one.errors);
  append(to.base, one.base);
  append(to.output, one.output);
  append(to.cells, one.cells);
  append(to.probability, one.probability);
  to.coalitions = std::max(to.coalitions, one.coalitions);
  to.exact = to.exact && one.exact;
}

}  // namespace

Explanation explain(const Model& model, const Table& table, std::span<const std::size_t> rows,
                    const Table& background, const ExplainOptions& options) {
  shap::check_rows(table, rows);
  shap::target_of(model, options);  // a bad question is refused before the background is sampled
  const auto others =
      std::make_shared<const ExplainBackground>(model, background, options.predict, options.background_rows);
  Explanation result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ExplainOptions own = options;
    if (options.progress)
      own.progress = [&](double share) {
        options.progress((static_cast<double>(i) + share) / static_cast<double>(rows.size()));
      };
    ProgressiveExplanation found(others, table, rows[i], own);
    found.refine(options.background_rows);
    if (i == 0) {
      result = found.explanation();
    } else {
      append_row(result, found.explanation());
    }
  }
  return result;
}

}  // namespace mirrorball
