#include "serve/explanations.h"

#include <algorithm>

namespace mirrorball::serve {
namespace {

/// Background rows between two looks whether the client is still there.
constexpr std::size_t kStep = 4;
constexpr std::size_t kMostBegun = 8, kMostReady = 2;

}  // namespace

Explanation Explanations::explain(const std::string& question, const Table& row,
                                  const ExplainOptions& options, const std::function<void()>& check) {
  ExplainOptions refined = options;
  refined.background_rows = std::max(options.background_rows, kRefinedRows);
  std::list<Begun> one = take(question, options.background_rows);
  if (one.empty())
    one.push_back({question, ProgressiveExplanation(background(refined.predict, refined.background_rows), row,
                                                    0, refined)});
  ProgressiveExplanation& found = one.front().found;
  try {
    while (found.background_rows() < options.background_rows && !found.complete()) {
      check();
      found.refine(std::min(options.background_rows, found.background_rows() + kStep));
    }
  } catch (...) {
    keep(std::move(one));
    throw;
  }
  Explanation answer = found.explanation();
  keep(std::move(one));
  return answer;
}

std::shared_ptr<const ExplainBackground> Explanations::background(const PredictOptions& predict,
                                                                  std::size_t rows) {
  const std::lock_guard lock(mutex_);
  auto known = std::find_if(ready_.begin(), ready_.end(), [&](const Ready& one) {
    return one.samples == predict.samples && one.seed == predict.seed && one.rows == rows;
  });
  if (known == ready_.end()) {
    ready_.push_front({predict.samples, rows, predict.seed,
                       std::make_shared<const ExplainBackground>(model_, background_, predict, rows)});
    if (ready_.size() > kMostReady) ready_.pop_back();
    known = ready_.begin();
  }
  ready_.splice(ready_.begin(), ready_, known);
  return ready_.front().background;
}

std::list<Explanations::Begun> Explanations::take(const std::string& question, std::size_t rows) {
  const std::lock_guard lock(mutex_);
  std::list<Begun> one;
  const auto known = std::find_if(begun_.begin(), begun_.end(), [&](const Begun& begun) {
    return begun.question == question && begun.found.background_rows() <= rows;
  });
  if (known != begun_.end()) one.splice(one.begin(), begun_, known);
  return one;
}

void Explanations::keep(std::list<Begun> one) {
  const std::lock_guard lock(mutex_);
  begun_.splice(begun_.begin(), one);
  if (begun_.size() > kMostBegun) begun_.pop_back();
}

}  // namespace mirrorball::serve
