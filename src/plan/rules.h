#pragma once

#include <cstddef>

#include "mirrorball/plan.h"

/// The automatic rules of a fit, all of them: what an option that is left to itself means for a table. Each
/// was chosen by validation scores; docs/method.md tells why.
namespace mirrorball::plan {

/// What the rules look at.
struct FitFacts {
  std::size_t training_rows = 0, validation_rows = 0, conformal_rows = 0;
  bool own_validation = false;  ///< the validation rows are a table of their own
  std::size_t number_columns = 0, code_columns = 0, targets = 1;  ///< of encoded rows
  bool bfloat = false;                                            ///< the engine is faster with it
};

/// How many of `rows` are held out for validation.
std::size_t held_out_rows(const Options& options, std::size_t rows);

/// Whether networks train on with the validation rows in the end. Not with validation rows of the user's own,
/// and not where held-out rows are to keep a promise.
bool will_refit(const Options& options, const FitFacts& facts);

/// The transform of a number feature. `unevenness` is the largest distance between a value's place in its
/// range and its rank, both as shares.
Transform number_transform(Transform wish, double unevenness);

/// Whether number features enter by their values too; `numbers` are those that are not constant.
bool numbers_by_value(const Options& options, std::size_t rows, std::size_t numbers);

/// The plan of a network's refit, from the mean of the networks' best epochs. Its random numbers are others.
Plan refit_plan(const Plan& plan, double best_epoch);

/// Settles all options but those of the inputs.
Plan make_plan(const Options& options, const FitFacts& facts);

/// Learning rate at step `step` (from 0, not always whole) of `steps`: constant, or rising linearly over the
/// warm-up while half a cosine takes it to 0.
double learning_rate(const Plan& plan, double step, double steps);

}  // namespace mirrorball::plan
