#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "mirrorball/explain.h"

namespace mirrorball::serve {

/// A page refines up to here. Fewer rows are the first of as many, so that they need not be taken again.
inline constexpr std::size_t kRefinedRows = 200;

/// The explanations that were asked for lately. Whoever asks again with more background rows gets the same
/// explanation refined, not one made anew; the samples of the background rows, which give every base, are
/// made once. Answers do not depend on what was asked before.
class Explanations {
 public:
  /// Both must outlive this.
  Explanations(const Model& model, const Table& background) : model_(model), background_(background) {}

  /// The explanation of the only row of `row` by `options.background_rows` background rows. `question` is the
  /// same for the same row and options, but for the number of background rows. `check` is called every moment
  /// and may throw; what is done by then is kept.
  Explanation explain(const std::string& question, const Table& row, const ExplainOptions& options,
                      const std::function<void()>& check);

 private:
  struct Ready {
    std::size_t samples, rows;
    std::uint64_t seed;
    std::shared_ptr<const ExplainBackground> background;
  };
  struct Begun {
    std::string question;
    ProgressiveExplanation found;
  };

  std::shared_ptr<const ExplainBackground> background(const PredictOptions& predict, std::size_t rows);
  /// What is known of a question by at most so many rows, taken out of the list; or nothing.
  std::list<Begun> take(const std::string& question, std::size_t rows);
  void keep(std::list<Begun> one);

  const Model& model_;
  const Table& background_;
  std::mutex mutex_;  ///< of the two lists
  std::list<Ready> ready_;
  std::list<Begun> begun_;
};

}  // namespace mirrorball::serve
