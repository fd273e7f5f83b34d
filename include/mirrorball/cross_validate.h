#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/score.h"

namespace mirrorball {

/// Rows that one fold's model is fitted to, validation rows included, and rows it is scored on, ascending.
struct Fold {
  std::vector<std::size_t> train, test;
};

/// How cross-validation splits a table; the same seed gives the same folds.
/// - As a rule every row is in the test of one fold, at random, and in the training of all others.
/// - With Roles::group, all rows of a group are in the same test.
/// - With Roles::valid_by, time goes on: the rows are cut into folds + 1 parts by its values, and fold i is
///   tested on part i + 1 and trained on all parts before.
std::vector<Fold> cross_validation_folds(const Table& table, const Roles& roles, std::size_t folds,
                                         std::uint64_t seed);

/// The scores of one fold, on rows that its model has not seen.
struct FoldScores {
  std::size_t training_rows = 0;
  Scores scores;
};

/// News of the fit of one fold, from 1; returning false ends the cross-validation.
using FoldCallback = std::function<bool(std::size_t fold, const Progress& progress)>;

/// Fits and scores a model for each fold. Options::time_limit is for all folds together. What was ended early
/// has the folds that were complete.
std::vector<FoldScores> cross_validate(const Table& table, const Roles& roles, const Options& options = {},
                                       std::size_t folds = 5, const FoldCallback& progress = {});

}  // namespace mirrorball
