#include "plan/rules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mirrorball/large_table.h"

namespace mirrorball::plan {
namespace {

/// Epochs and steps of a fit that asks for neither.
constexpr int kEpochs = 12, kSteps = 4000;
/// More steps than this let a network learn a small table by heart.
constexpr std::size_t kStepsPerRow = 6;
/// Folds instead of one hold-out, where that would have too few rows to choose epochs, weights and a spread
/// by. Two networks leave out the same fold, so that their disagreement shows.
constexpr std::size_t kFolds = 5, kNetworksPerFold = 2, kFewestFoldRows = 4;
/// Waves find structure that several features make together; along a single one they mostly find chance.
constexpr int kWaves = 24;
/// A column whose values lie no further than this from their ranks is spread evenly.
constexpr double kUneven = 0.05;
/// Deviations from the mean within which a column has no tails: so are ten thousand values of a normal
/// distribution, more often than not.
constexpr double kNear = 4;
/// Scaled by their ranges, targets have deviations in inverse ratio to these. The loss adds up distances, and
/// a target of small deviation would hardly count.
constexpr double kAlike = 1.25;
/// Of fewer rows the quantiles of a target are coarse steps. A value that more than one row in `kSeldom` has
/// is no accident: smoothed, samples would no longer be equal to it.
constexpr std::size_t kSmoothedRows = 1000, kSeldom = 100;
/// Fewer rows do not carry the weights of numbers by value.
constexpr std::size_t kByValueRows = 2000;
/// Days that dates must run over, so that a cycle comes back: what comes once is a part of the trend. Of a
/// year the two ends must nearly meet.
constexpr double kDaysOfDay = 2, kDaysOfWeek = 21, kDaysOfYear = 330;
/// With fewer rows, what they say is more noise than correction.
constexpr std::size_t kFewestCalibrationRows = 30;
/// So many held-out rows are enough to go by; half of them calibrate nearly as well as all.
constexpr std::size_t kManyHeldOutRows = 100;
/// Below this many rows, scores cannot tell whether heavier tails are needed.
constexpr std::size_t kTailRows = 500;
/// Of the time there is when training begins, when one expert after the other must be done.
constexpr double kForestTime = 0.12, kProcessTime = 0.2, kBoostTime = 0.25, kNeighbourTime = 0.3;
/// Rows scored after an epoch where time is limited: so many for each second of the limit, and at least.
constexpr double kTimedRows = 400, kFewestTimedRows = 200;
/// Of more features, a node of the forest tries this many or a third, whichever is more.
constexpr std::size_t kManyForestFeatures = 32;
/// Of fewer rows, boosted trees learn little; more than so many hardly make them better.
constexpr std::size_t kFewestBoostRows = 200, kMostBoostRows = 100000;
/// Smaller tables have smaller trees: of so many leaves, each of so much weight at least.
constexpr std::size_t kSmallBoostRows = 2000, kSmallBoostLeaves = 12;
constexpr double kSmallBoostLeaf = 5;
/// Of more columns, a tree looks at this share.
constexpr std::size_t kManyBoostColumns = 24;
constexpr double kShareOfManyColumns = 0.4;
/// Numbers and categories of all these rows: what they take in memory is bounded.
constexpr std::size_t kMostBoostCells = 20000000;
/// Of fewer rows, a metric is mostly chance, and a Gaussian process knows neighbours too.
constexpr std::size_t kFewestNeighbourRows = 500;
/// Held-out rows of a table larger than memory: many times more than choices among epochs need, and little
/// time after an epoch of some millions.
constexpr std::size_t kMostSampleHeldOut = 100000;
/// Rows shuffled together as they come from the cache. A group of the most mixes 256 places of the table; two
/// groups of each network in training are in memory at a time, which take a sixteenth of it together where
/// rows are wide.
constexpr std::size_t kMostShuffledRows = 131072, kFewestShuffledRows = 4096;
constexpr std::uint64_t kShuffleShare = 32;
/// Of the memory that a process may use, a fit takes one part in so many unless it is told.
constexpr std::uint64_t kUsualMemoryShare = 2;
/// Bytes of a row in a fit in memory: a table's cell and an encoded one; then targets, weight and the lists
/// of what rows are for.
constexpr double kCellBytes = 8, kRowBytes = 40;
/// Of the memory, what the sample of a larger table may take while it is read: a cell of it is a double.
constexpr std::uint64_t kSampleShare = 4;
/// Makes the random numbers of the refit others than those of the first training.
constexpr std::uint64_t kOtherSeed = 0x9E3779B97F4A7C15u;

/// Many small steps make the best networks of small and middling tables; large ones can afford larger steps.
std::size_t usual_batch(std::size_t rows) {
  return rows < 2000 ? 32 : std::clamp<std::size_t>(rows / 500, 100, 400);
}

bool repeats(std::size_t rows, std::size_t most_repeated) {
  return most_repeated > std::max<std::size_t>(2, rows / kSeldom);
}

void plan_network(const Options& options, const FitFacts& facts, Plan& plan) {
  plan.architecture = options.architecture;
  plan.folds = static_cast<int>(facts.folds);
  plan.networks = std::max(options.networks, static_cast<int>(kNetworksPerFold * facts.folds));
  plan.width = options.width;
  plan.layers = options.layers;
  plan.activation = options.activation;
  plan.activate_input = options.activate_input;
  plan.noise_dim = options.architecture == Network::kPoint ? 0
                   : options.noise_dim                     ? options.noise_dim
                                                           : static_cast<int>(facts.targets);
  plan.cosines = options.cosines;
  const std::size_t inputs = facts.number_columns + facts.code_columns;
  plan.waves = facts.number_columns == 0 ? 0 : options.waves >= 0 ? options.waves : inputs > 1 ? kWaves : 0;
  plan.wave_low = options.wave_low;
  plan.wave_high = options.wave_high;
  plan.damp_waves = options.damp_waves;
  plan.order_categories = options.order_categories;
  plan.init_sd = options.init_sd;
}

void plan_step(const Options& options, const FitFacts& facts, Plan& plan) {
  plan.energy_exponent = options.energy_exponent;
  plan.precision = options.precision != Precision::kAuto ? options.precision
                   : facts.bfloat                        ? Precision::kBfloat16
                                                         : Precision::kFloat32;
  const bool noisy = plan.architecture != Network::kPoint, one = plan.noise_dim == 1;
  plan.draws = !noisy ? 1 : options.draws > 0 ? options.draws : one ? 6 : 16;
  plan.stratified = noisy && (options.sampling == Sampling::kStratified ||
                              (options.sampling == Sampling::kAuto && one && !options.fair));
  // Left to itself, each way of drawing gets the weights that make it right: see docs/method.md.
  plan.fair = options.fair || (options.sampling == Sampling::kAuto && !plan.stratified);
  plan.noise_table = 0;
  if (!noisy || options.noise_grid == 0) return;
  plan.noise_table = std::max(options.noise_grid * (one ? 1 : 4), plan.draws);
  // Strata of equal size, so that every value is as likely as any other.
  if (plan.stratified && one)
    plan.noise_table = (plan.noise_table + plan.draws - 1) / plan.draws * plan.draws;
}

void plan_epochs(const Options& options, std::size_t rows, Plan& plan) {
  const std::size_t batch = options.batch > 0 ? static_cast<std::size_t>(options.batch) : usual_batch(rows);
  const std::size_t per_epoch = std::max<std::size_t>(1, (rows + batch - 1) / batch);
  plan.steps_per_epoch = static_cast<int>(per_epoch);
  plan.batch = static_cast<int>((rows + per_epoch - 1) / per_epoch);
  // Whoever asks for so many epochs gets so many.
  const int least = options.min_steps >= 0 ? options.min_steps : options.epochs > 0 ? 0 : kSteps;
  const std::size_t steps = std::min(static_cast<std::size_t>(least), kStepsPerRow * rows);
  const auto enough = static_cast<int>((steps + per_epoch - 1) / per_epoch);
  plan.epochs = std::max(options.epochs > 0 ? options.epochs : kEpochs, enough);
  plan.best_from = static_cast<int>(std::ceil(options.best_after * static_cast<double>(plan.epochs)));
  plan.patience = options.patience > 0    ? options.patience
                  : options.patience == 0 ? std::max(2, (plan.epochs + 5) / 6)
                                          : 0;
}

/// A group must hold a batch, and where a table ends a block is short.
void plan_cache(const FitFacts& facts, Plan& plan) {
  plan.sample_rows = facts.sample_rows;
  if (facts.sample_rows == 0) return;
  constexpr std::size_t kBlock = kCacheBlockRows;
  const std::uint64_t fitting = facts.memory / kShuffleShare / std::max<std::size_t>(facts.row_bytes, 1);
  const std::size_t wanted =
      std::clamp(static_cast<std::size_t>(fitting), kFewestShuffledRows, kMostShuffledRows);
  plan.shuffled_rows =
      std::max(wanted, static_cast<std::size_t>(plan.batch) + kBlock + kBlock - 1) / kBlock * kBlock;
}

void plan_training(const Options& options, Plan& plan) {
  plan.validation_samples = options.valid_samples;
  plan.learning_rate = options.learning_rate;
  plan.schedule = options.schedule;
  plan.warmup = options.warmup;
  plan.beta1 = options.beta1;
  plan.beta2 = options.beta2;
  plan.averaging = options.averaging;
  plan.time_limit = options.time_limit;
  plan.seed = options.seed;
}

void plan_refit(const Options& options, Plan& plan) {
  Plan all;
  plan_epochs(options, plan.training_rows + plan.validation_rows, all);
  plan.refit_batch = all.batch;
  plan.refit_steps_per_epoch = all.steps_per_epoch;
  plan.refit_epochs = all.epochs;
  plan.refit_learning_rate = plan.learning_rate / 4;
  plan.refit_warmup = 0.1;
}

void plan_boosting(const Options& options, const FitFacts& facts, std::size_t seen, Plan& plan) {
  if (facts.sample_rows > 0) seen = std::min(seen, facts.sample_rows - plan.validation_rows);
  if (seen < kFewestBoostRows || options.boosting == 0) return;
  plan.boosting = options.boosting;
  const std::size_t columns = std::max<std::size_t>(1, facts.number_columns + facts.code_columns);
  plan.boost_rows = std::min({seen, kMostBoostRows, std::max(kFewestBoostRows, kMostBoostCells / columns)});
}

void plan_calibration(const Options& options, const FitFacts& facts, Plan& plan) {
  const bool noisy = plan.architecture != Network::kPoint, one = facts.targets == 1;
  plan.prediction_noise = options.prediction_noise;
  const std::size_t held_out =
      plan.folds > 0 ? plan.training_rows + plan.validation_rows : plan.validation_rows;
  const bool enough = held_out >= kFewestCalibrationRows;
  if (noisy && (enough || plan.conformal_rows > 0)) plan.calibrate = options.calibrate;
  if (plan.calibrate == Calibrate::kNone) return;
  plan.calibration_rows = enough ? std::min(held_out, kMostCalibrationRows) : 0;
  plan.interval_rows = plan.calibrate == Calibrate::kConformal
                           ? std::min(plan.conformal_rows, kMostCalibrationRows)
                       : plan.calibrate == Calibrate::kInterval ? plan.calibration_rows
                                                                : 0;
  // Widening single samples would tear joint samples of several targets apart.
  plan.tails = enough && one && options.calibrate != Calibrate::kScale;
  if (enough) plan.trees = options.forest;
  const bool sees_all = plan.refit && facts.random_validation;
  const std::size_t seen = plan.training_rows + (sees_all ? plan.validation_rows : 0);
  if (one && enough && seen >= kFewestProcessRows &&
      seen <= static_cast<std::size_t>(options.gaussian_process))
    plan.process_rows = seen;
  if (enough) plan_boosting(options, facts, facts.random_validation ? seen : plan.training_rows, plan);
  // Folds leave no row to validate a metric that has not learned from it.
  if (enough && plan.folds == 0 && seen >= kFewestNeighbourRows)
    plan.neighbour_rows = std::min(facts.sample_rows > 0 ? facts.sample_rows : seen,
                                   static_cast<std::size_t>(options.neighbours));
  plan = with_calibration_rows(plan, plan.calibration_rows, plan.interval_rows);
}

}  // namespace

std::size_t held_out_rows(const Options& options, std::size_t rows) {
  if (options.valid_fraction <= 0) return 0;
  const auto share =
      static_cast<std::size_t>(std::llround(options.valid_fraction * static_cast<double>(rows)));
  return std::max({std::size_t{1}, share, std::min(rows / 5, static_cast<std::size_t>(options.min_valid))});
}

std::size_t held_out_of_sample(const Options& options, std::size_t rows, std::size_t sample_rows) {
  return std::min({held_out_rows(options, rows), sample_rows / 2, kMostSampleHeldOut});
}

std::uint64_t usual_memory(std::uint64_t usable) { return usable / kUsualMemoryShare; }

double bytes_in_memory(std::size_t rows, std::size_t columns) {
  return static_cast<double>(rows) * (kCellBytes * static_cast<double>(columns) + kRowBytes);
}

std::size_t sample_limit(std::uint64_t memory, std::size_t columns) {
  const std::uint64_t rows = memory / kSampleShare / (sizeof(double) * std::max<std::size_t>(columns, 1));
  return std::clamp<std::size_t>(static_cast<std::size_t>(rows), LargeTable::kFewestSampleRows,
                                 LargeTable::kMostSampleRows);
}

std::size_t fold_count(const Options& options, const Roles& roles, std::size_t rows) {
  if (options.valid_folds == 0 || !options.refit || options.valid_fraction <= 0) return 0;
  if (options.calibrate == Calibrate::kConformal || options.time_limit > 0) return 0;
  if (!roles.valid_by.empty() || !roles.group.empty()) return 0;
  const auto wanted = options.valid_folds > 0 ? static_cast<std::size_t>(options.valid_folds) : kFolds;
  // An ensemble of few networks was asked for because it is quick.
  const bool small =
      held_out_rows(options, rows) < kManyHeldOutRows && static_cast<std::size_t>(options.networks) >= kFolds;
  return rows >= kFewestFoldRows * wanted && (options.valid_folds > 0 || small) ? wanted : 0;
}

bool will_refit(const Options& options, const FitFacts& facts) {
  return options.refit && !facts.own_validation && facts.validation_rows > 0 && facts.sample_rows == 0 &&
         options.calibrate != Calibrate::kConformal;
}

std::size_t report_folds(std::size_t rows) { return rows < kManyHeldOutRows ? 3 : 2; }

Transform number_transform(Transform wish, double unevenness) {
  if (wish != Transform::kAuto) return wish;
  return unevenness > kUneven ? Transform::kRankit : Transform::kEven;
}

Transform only_feature_transform(Transform wish, double farthest) {
  return wish == Transform::kAuto && farthest <= kNear ? Transform::kEven : wish;
}

Transform target_transform(Transform wish, std::size_t rows, std::size_t most_repeated) {
  if (wish != Transform::kAuto) return wish;
  return rows < kSmoothedRows && !repeats(rows, most_repeated) ? Transform::kSmooth : Transform::kQuantile;
}

Transform joint_transform(Transform wish, std::size_t rows, std::span<const TargetFacts> targets) {
  if (wish != Transform::kAuto || targets.size() < 2) return wish;
  const auto plain = [rows](const TargetFacts& one) {
    return !repeats(rows, one.most_repeated) && one.extent.farthest <= kNear;
  };
  const auto [narrow, wide] = std::minmax_element(
      targets.begin(), targets.end(),
      [](const TargetFacts& a, const TargetFacts& b) { return a.extent.range < b.extent.range; });
  return std::all_of(targets.begin(), targets.end(), plain) &&
                 wide->extent.range <= kAlike * narrow->extent.range
             ? Transform::kEven
             : wish;
}

bool numbers_by_value(const Options& options, std::size_t rows, std::size_t numbers) {
  return rows >= kByValueRows && numbers >= 2 && numbers <= static_cast<std::size_t>(options.plain_numbers);
}

bool has_cycle(DateCycle cycle, double days, std::size_t places) {
  const double least = cycle == DateCycle::kDay    ? kDaysOfDay
                       : cycle == DateCycle::kWeek ? kDaysOfWeek
                                                   : kDaysOfYear;
  return days >= least && places >= kCyclePlaces;
}

Plan refit_plan(const Plan& plan, double best_epoch) {
  Plan again = plan;
  again.training_rows += plan.validation_rows;
  again.validation_rows = 0;
  again.refit = false;
  // An eighth of the epochs there could be and an eighth of those that were good. Networks that were best
  // early on would only learn the rows by heart.
  const double epochs = std::min((plan.refit_epochs + best_epoch) / 8, best_epoch / 2);
  again.epochs = std::max(1, static_cast<int>(std::lround(epochs)));
  again.batch = plan.refit_batch;
  again.steps_per_epoch = plan.refit_steps_per_epoch;
  again.learning_rate = plan.refit_learning_rate;
  again.warmup = plan.refit_warmup;
  again.seed = plan.seed + kOtherSeed;
  return again;
}

Plan with_calibration_rows(const Plan& plan, std::size_t calibration, std::size_t interval) {
  Plan fewer = plan;
  fewer.calibration_rows = calibration;
  fewer.interval_rows = interval;
  fewer.keep_tails = plan.tails && calibration < kTailRows;
  // Tails that no network saw are worth a little where rows are few.
  if (plan.trees > 0) fewer.least_forest_weight = std::min(0.1, 10.0 / static_cast<double>(calibration));
  return fewer;
}

std::size_t forest_features(std::size_t features) {
  return features > kManyForestFeatures ? std::max(kManyForestFeatures, features / 3) : features;
}

BoostShape boost_shape(std::size_t rows, std::size_t columns) {
  BoostShape shape;
  if (rows < kSmallBoostRows) {
    shape.leaves = kSmallBoostLeaves;
    shape.least_leaf = kSmallBoostLeaf;
  }
  if (columns > kManyBoostColumns) shape.share = kShareOfManyColumns;
  return shape;
}

bool experts_see_validation(const Plan& plan) { return plan.valid_by.empty() && plan.group.empty(); }

TimeShares time_shares(const Plan& plan) {
  return plan.refit ? TimeShares{kForestTime, kProcessTime, kBoostTime, kNeighbourTime, 0.72, 0.84, 0.98}
                    : TimeShares{kForestTime, kProcessTime, kBoostTime, kNeighbourTime, 0.85, 0.98, 0.98};
}

std::size_t epoch_validation_rows(const Plan& plan) {
  if (plan.time_limit == 0) return plan.validation_rows;
  const double rows = std::max(kFewestTimedRows, kTimedRows * plan.time_limit);
  return rows < static_cast<double>(plan.validation_rows) ? static_cast<std::size_t>(rows)
                                                          : plan.validation_rows;
}

Plan make_plan(const Options& options, const FitFacts& facts) {
  Plan plan;
  plan.training_rows = facts.training_rows;
  plan.validation_rows = facts.validation_rows;
  plan.conformal_rows = facts.conformal_rows;
  plan.refit = will_refit(options, facts);
  plan_network(options, facts, plan);
  plan_step(options, facts, plan);
  plan_epochs(options, facts.training_rows, plan);
  plan_cache(facts, plan);
  plan_training(options, plan);
  if (plan.refit) plan_refit(options, plan);
  plan_calibration(options, facts, plan);
  return plan;
}

double learning_rate(const Plan& plan, double step, double steps) {
  if (plan.schedule == Schedule::kConstant) return plan.learning_rate;
  const double rise = plan.warmup * steps;
  const double warm = rise > 0 ? std::min(1.0, (step + 1) / rise) : 1.0;
  return plan.learning_rate * warm * (0.5 + 0.5 * std::cos(std::numbers::pi * step / steps));
}

}  // namespace mirrorball::plan
