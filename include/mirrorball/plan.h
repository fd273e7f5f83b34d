#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "mirrorball/options.h"
#include "mirrorball/table.h"

namespace mirrorball {

/// What of the calendar repeats.
enum class DateCycle { kDay, kWeek, kYear };

/// How a feature enters the networks.
struct InputPlan {
  std::string name;
  ColumnType type = ColumnType::kNumber;
  Transform transform = Transform::kRankit;  ///< of a number, as settled
  bool by_value = false;                     ///< a number that enters by its value too
  std::size_t categories = 0;                ///< kept of a category
  bool missing = false;                      ///< missing values are learned
  std::vector<DateCycle> cycles;             ///< of a date: those it enters by too
};

/// How a target is transformed.
struct TargetPlan {
  std::string name;
  Transform transform = Transform::kQuantile;  ///< as settled
};

/// A fit before it starts: every automatic option is resolved, from the options and the
/// facts of the table. A model keeps the plan it was trained by.
struct Plan {
  std::vector<InputPlan> inputs;
  std::vector<TargetPlan> targets;

  // Rows
  std::size_t training_rows = 0;
  std::size_t validation_rows = 0;  ///< choose the best epoch and the calibration
  int folds = 0;                   ///< of the rows, left out by the networks in turn; 0: one part is held out
  std::size_t conformal_rows = 0;  ///< held out for the guarantee of the 90% interval alone
  bool refit = false;              ///< networks are trained on with the validation rows in the end
  /// Where the table does not fit into memory: rows of the sample that transforms, categories, forest,
  /// validation and calibration go by, and rows that are shuffled together as networks read them from the
  /// cache. 0: all rows are in memory.
  std::size_t sample_rows = 0, shuffled_rows = 0;
  std::string valid_by, group;  ///< columns that chose the rows held out; both empty: chance

  // Networks
  Network architecture = Network::kDnPlus;
  int networks = 1, width = 128, layers = 2;
  Activation activation = Activation::kRelu;
  bool activate_input = true;
  int noise_dim = 1, cosines = 128;
  int waves = 0;
  double wave_low = 0.03, wave_high = 3;
  bool damp_waves = true, order_categories = true;
  double init_sd = 0;

  // A training step
  int batch = 100;         ///< rows, at most
  int draws = 6;           ///< per row
  bool stratified = true;  ///< draws are spread evenly over the noise; otherwise independent
  int noise_table = 64;    ///< noise values shared by a step; 0: every draw has its own
  double energy_exponent = 1;
  bool fair = false;
  Precision precision = Precision::kFloat32;  ///< never automatic

  // A network's training
  int epochs = 12, steps_per_epoch = 1;
  int best_from = 1;  ///< the first epoch that may be the best
  int patience = 0;   ///< epochs without a better score that end it; 0: none do
  int validation_samples = 16;
  double learning_rate = 4e-3;
  Schedule schedule = Schedule::kCosine;
  double warmup = 0.03, beta1 = 0.9, beta2 = 0.95, averaging = 0.998;
  double time_limit = 0;
  std::uint64_t seed = 0;

  // The refit, on training and validation rows: its epochs follow from the best ones of the training
  int refit_batch = 0, refit_steps_per_epoch = 0;
  int refit_epochs = 0;  ///< those of a training on all these rows, of which a refit takes a part
  double refit_learning_rate = 0, refit_warmup = 0;

  // What is done with the samples
  PredictionNoise prediction_noise = PredictionNoise::kEven;
  int trees = 0;                   ///< of the forest; 0: none is grown
  std::size_t process_rows = 0;    ///< that a Gaussian process is fitted to; 0: there is none
  int boosting = 0;                ///< boosted trees of a fold, at most; 0: there are none
  std::size_t boost_rows = 0;      ///< that they are fitted to
  std::size_t neighbour_rows = 0;  ///< that a metric is learned from and kept; 0: there are no neighbours
  Calibrate calibrate = Calibrate::kNone;
  std::size_t calibration_rows = 0;  ///< of the validation rows, evenly spread; 0: too few to go by
  std::size_t interval_rows = 0;     ///< of the rows whose coverage sets the 90% interval
  bool tails = false;                ///< heavier tails are tried
  bool keep_tails = false;           ///< and some are taken in any case, since scores of few rows miss them
  double least_forest_weight = 0;

  std::size_t steps() const {
    return static_cast<std::size_t>(epochs) * static_cast<std::size_t>(steps_per_epoch);
  }
};

/// What `fit` would do with these arguments. Reads the table, trains nothing.
Plan plan_fit(Table train, const Roles& roles, const Options& options = {});
Plan plan_fit(Table train, Table valid, const Roles& roles, const Options& options = {});
Plan plan_fit(LargeTable train, std::optional<Table> valid, const Roles& roles, const Options& options = {});

/// The plan as lines for a reader, "title   words".
std::string to_text(const Plan& plan);

}  // namespace mirrorball
