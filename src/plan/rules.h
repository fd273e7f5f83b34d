#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mirrorball/plan.h"

/// The automatic rules of a fit, all of them: what an option that is left to itself means for a table. Each
/// was chosen by validation scores; docs/method.md tells why.
namespace mirrorball::plan {

/// What the rules look at.
struct FitFacts {
  std::size_t training_rows = 0, validation_rows = 0, conformal_rows = 0;
  /// Rows of the sample, where not all fit into memory; 0: all do. With it, bytes of a row in the cache and
  /// the memory of the fit.
  std::size_t sample_rows = 0, row_bytes = 0;
  std::uint64_t memory = 0;
  bool own_validation = false;    ///< the validation rows are a table of their own
  std::size_t folds = 0;          ///< that networks leave out in turn; `validation_rows` are those of one
  bool random_validation = true;  ///< they were chosen by chance, not as the last ones or whole groups
  std::size_t number_columns = 0, code_columns = 0, targets = 1;  ///< of encoded rows
  bool bfloat = false;                                            ///< the engine is faster with it
};

/// How many of `rows` are held out for validation.
std::size_t held_out_rows(const Options& options, std::size_t rows);

/// Rows that lie side by side in the cache of a table larger than memory, and are read at once.
inline constexpr std::size_t kCacheBlockRows = 512;

/// How many rows of a sample are held out, where the table has so many rows and does not fit into memory.
std::size_t held_out_of_sample(const Options& options, std::size_t rows, std::size_t sample_rows);

/// The memory of a fit that asks for none, of what the process may use.
std::uint64_t usual_memory(std::uint64_t usable);

/// What a fit of so many rows and columns takes in memory. A table that takes more than there is goes by a
/// sample, and is read from a cache.
double bytes_in_memory(std::size_t rows, std::size_t columns);

/// How many rows that sample has at most.
std::size_t sample_limit(std::uint64_t memory, std::size_t columns);

/// How many folds the rows are cut into, each left out by some of the networks: so every row is a validation
/// row of some. 0: one part of the rows is held out from all, which is enough where rows are many.
std::size_t fold_count(const Options& options, const Roles& roles, std::size_t rows);

/// Whether networks train on with the validation rows in the end. Not with validation rows of the user's own,
/// and not where held-out rows are to keep a promise.
bool will_refit(const Options& options, const FitFacts& facts);

/// Until an epoch may be the best, one whose score is this many times the lowest before is not kept.
inline constexpr double kClearlyWorse = 1.05;

/// Draws of a held-out row's forecast that calibration looks at, and how many of them are the forest's.
inline constexpr std::size_t kPoolDraws = 500, kForestPoolDraws = 100;
/// More rows than this do not change the choice of tails, and the density estimates are the dear part.
inline constexpr std::size_t kTailSearchRows = 500;

/// Half of so many validation rows just make a finite conformal interval possible.
inline constexpr std::size_t kFewestConformalRows = 20;

/// More rows than this do not change the choices of a calibration, nor the estimate of a model's error.
inline constexpr std::size_t kMostCalibrationRows = 4000;

/// From fewer held-out rows than this a model's error cannot be told.
inline constexpr std::size_t kFewestReportRows = 10;

/// Parts of so many held-out rows that are scored with the calibration of the others. Three come close to the
/// calibration by all where rows are few; else two do, and take no longer than the calibration itself.
std::size_t report_folds(std::size_t rows);

/// The transform of a number feature. `unevenness` is the largest distance between a value's place in its
/// range and its rank, both as shares.
Transform number_transform(Transform wish, double unevenness);

/// What is wished for the only feature of a table, whose values lie so many deviations from their mean at
/// most: ranks would close the gaps between them.
Transform only_feature_transform(Transform wish, double farthest);

/// The transform of a target with so many training rows. `most_repeated` is how often its commonest value
/// occurs.
Transform target_transform(Transform wish, std::size_t rows, std::size_t most_repeated);

/// How far a column's values lie from their mean at most, and the least from the greatest, in deviations.
struct Extent {
  double farthest = 0, range = 0;
};

/// What is wished for several targets, where nothing is asked for: scaled by their ranges, they keep the
/// shape of what lies between them, which quantiles of each would bend.
struct TargetFacts {
  std::size_t most_repeated = 0;  ///< how often the commonest value occurs in the training rows
  Extent extent;
};
Transform joint_transform(Transform wish, std::size_t rows, std::span<const TargetFacts> targets);

/// Whether number features enter by their values too; `numbers` are those that are not constant.
bool numbers_by_value(const Options& options, std::size_t rows, std::size_t numbers);

/// A category of fewer training rows is treated as one that training never had: what so few rows say of it is
/// mostly chance, and the rows that are left teach how to do without.
inline constexpr std::size_t kFewestCategoryRows = 3;

/// Whether a column of so many different texts in so many rows names the rows: no category of it is kept.
inline bool names_rows(std::size_t texts, std::size_t rows) { return 2 * texts > rows; }

/// So many places in a cycle of the calendar show that a column of dates goes through it. Two are not enough:
/// midnights of a place with summer time are two times of the day in UTC.
inline constexpr std::size_t kCyclePlaces = 3;

/// Whether dates enter by their place in a cycle. They run over so many `days`, and have at least `places`
/// different places in it (more than kCyclePlaces are not counted).
bool has_cycle(DateCycle cycle, double days, std::size_t places);

/// The plan of a network's refit, from the mean of the networks' best epochs. Its random numbers are others.
Plan refit_plan(const Plan& plan, double best_epoch);

/// The plan with a calibration on fewer rows, `calibration` of the validation rows and `interval` of those
/// that set the 90% interval: what follows from their number follows.
Plan with_calibration_rows(const Plan& plan, std::size_t calibration, std::size_t interval);

/// Fewer rows, of those that have a weight, tell a Gaussian process too little of lengths and noise.
inline constexpr std::size_t kFewestProcessRows = 40;

/// Features that a node of the forest tries, of so many.
std::size_t forest_features(std::size_t features);

/// Folds of the rows for boosted trees, where networks have none.
inline constexpr std::size_t kBoostFolds = 4;

/// Boosted trees that learn from so many rows.
struct BoostShape {
  std::size_t leaves = 64;
  double least_leaf = 8;  ///< weight of a leaf's rows at least; rows weigh 1 on average
  double share = 0.8;     ///< of the columns, that a tree looks at
};
BoostShape boost_shape(std::size_t rows, std::size_t columns);

/// Whether a Gaussian process and boosted trees may see the validation rows and then forecast each by the
/// others. Not where these are its neighbours in time or of its group.
bool experts_see_validation(const Plan& plan);

/// When the phases of a fit with a time limit must be over, as shares of the limit. Where reading and
/// encoding have taken more than `least_left` leaves, training has that much nevertheless.
struct TimeShares {
  double forest, process, boosting, neighbours, training, calibration, refit;  ///< in their order
  double least_left = 0.1;
};
TimeShares time_shares(const Plan& plan);

/// Validation rows that are looked at after each epoch: all, or, so that a time limit holds, as many as are
/// scored in a small part of it.
std::size_t epoch_validation_rows(const Plan& plan);

/// Settles all options but those of the inputs.
Plan make_plan(const Options& options, const FitFacts& facts);

/// Learning rate at step `step` (from 0, not always whole) of `steps`: constant, or rising linearly over the
/// warm-up while half a cosine takes it to 0.
double learning_rate(const Plan& plan, double step, double steps);

}  // namespace mirrorball::plan
