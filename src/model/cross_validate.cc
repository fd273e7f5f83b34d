#include "mirrorball/cross_validate.h"

#include <algorithm>
#include <chrono>

#include "model/fit_columns.h"
#include "model/take_rows.h"

namespace mirrorball {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows whose samples are held at once.
constexpr std::size_t kScoredRows = 1000;

Scores score_rows(const Model& model, const Table& test, unsigned threads) {
  Scorer scorer(model.targets(), {0.5, 0.9}, threads);
  const std::vector<double> observed = model.observed(test);
  const std::size_t targets = model.targets().size();
  for (std::size_t begin = 0; begin < test.rows(); begin += kScoredRows) {
    const std::size_t end = std::min(test.rows(), begin + kScoredRows);
    scorer.add(model.predict(test, begin, end, {.threads = threads}),
               std::span(observed).subspan(begin * targets, (end - begin) * targets));
  }
  return scorer.finish();
}

/// Roles whose ignored columns need not be in the table.
Roles without_missing(const Roles& roles, const Table& table) {
  Roles known = roles;
  std::erase_if(known.ignore, [&](const std::string& name) { return !table.find(name); });
  return known;
}

}  // namespace

std::vector<FoldScores> cross_validate(const Table& table, const Roles& roles, const Options& options,
                                       std::size_t folds, const FoldCallback& progress) {
  model::feature_names(table, roles);
  for (const std::string& target : roles.targets) model::check_target(table, target);
  const std::vector<Fold> splits = cross_validation_folds(table, roles, folds, options.seed);
  const Roles known = without_missing(roles, table);
  const Clock::time_point begin = Clock::now();
  std::vector<FoldScores> done;
  for (const Fold& fold : splits) {
    const std::size_t number = done.size() + 1;
    Options own = options;
    if (own.time_limit > 0) {
      const double left = options.time_limit - std::chrono::duration<double>(Clock::now() - begin).count();
      own.time_limit = std::max(1e-3, left) / static_cast<double>(folds - done.size());
    }
    bool ended = false;
    const ProgressCallback news = [&](const Progress& now) {
      ended = ended || (progress && !progress(number, now));
      return !ended;
    };
    const Model model = fit(model::take_rows(table, fold.train), known, own, news);
    if (ended) break;
    done.push_back({fold.train.size(), score_rows(model, model::take_rows(table, fold.test),
                                                  static_cast<unsigned>(options.threads))});
  }
  return done;
}

}  // namespace mirrorball
