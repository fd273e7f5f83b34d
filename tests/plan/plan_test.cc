#include "mirrorball/plan.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "mirrorball/large_table.h"
#include "plan/rules.h"

namespace mirrorball {
namespace {

Plan plan_of(const Options& options, std::size_t rows, std::size_t validation = 0) {
  return plan::make_plan(options,
                         {.training_rows = rows, .validation_rows = validation, .number_columns = 2});
}

TEST(Plan, ASingleFeatureHasNoWavesUnlessAsked) {
  Options options;
  const auto waves = [&](std::size_t numbers, std::size_t codes) {
    return plan::make_plan(options, {.training_rows = 100, .number_columns = numbers, .code_columns = codes})
        .waves;
  };
  EXPECT_EQ(waves(1, 0), 0);
  EXPECT_EQ(waves(2, 0), 24);
  EXPECT_EQ(waves(1, 1), 24);
  EXPECT_EQ(waves(0, 2), 0);
  options.waves = 5;
  EXPECT_EQ(waves(1, 0), 5);
}

TEST(Plan, TargetsOfFewRowsThatSeldomRepeatAreSmoothed) {
  EXPECT_EQ(plan::target_transform(Transform::kAuto, 200, 2), Transform::kSmooth);
  EXPECT_EQ(plan::target_transform(Transform::kAuto, 200, 3), Transform::kQuantile);
  EXPECT_EQ(plan::target_transform(Transform::kAuto, 999, 9), Transform::kSmooth);
  EXPECT_EQ(plan::target_transform(Transform::kAuto, 999, 10), Transform::kQuantile);
  EXPECT_EQ(plan::target_transform(Transform::kAuto, 1000, 1), Transform::kQuantile);
  EXPECT_EQ(plan::target_transform(Transform::kStandard, 200, 1), Transform::kStandard);
  EXPECT_EQ(preset("paper").target_transform, Transform::kQuantile);
}

TEST(Plan, SeveralTargetsAlikeWithoutFarOrRepeatedValuesKeepTheirShape) {
  const plan::TargetFacts plain{2, {2, 4}};
  const auto chosen = [&](std::size_t rows, const plan::TargetFacts& other) {
    const std::vector<plan::TargetFacts> targets = {plain, other};
    return plan::joint_transform(Transform::kAuto, rows, targets);
  };
  EXPECT_EQ(chosen(3000, {30, {4, 5}}), Transform::kEven);
  EXPECT_EQ(chosen(3000, {30, {2, 3.2}}), Transform::kEven);
  EXPECT_EQ(chosen(200, {2, {4, 5}}), Transform::kEven);
  EXPECT_EQ(chosen(3000, {31, {4, 5}}), Transform::kAuto);
  EXPECT_EQ(chosen(3000, {30, {4.01, 5}}), Transform::kAuto);
  EXPECT_EQ(chosen(3000, {30, {4, 5.01}}), Transform::kAuto);
  EXPECT_EQ(chosen(3000, {30, {2, 3.19}}), Transform::kAuto);
  const std::vector<plan::TargetFacts> one = {plain}, two = {plain, plain};
  EXPECT_EQ(plan::joint_transform(Transform::kAuto, 3000, one), Transform::kAuto);
  EXPECT_EQ(plan::joint_transform(Transform::kQuantile, 3000, two), Transform::kQuantile);
}

TEST(Plan, AnOnlyFeatureKeepsItsGapsWithoutFarValues) {
  EXPECT_EQ(plan::only_feature_transform(Transform::kAuto, 4), Transform::kEven);
  EXPECT_EQ(plan::only_feature_transform(Transform::kAuto, 4.01), Transform::kAuto);
  EXPECT_EQ(plan::only_feature_transform(Transform::kQuantile, 2), Transform::kQuantile);
}

TEST(Plan, BatchesAndEpochsFollowTheRows) {
  Options options;
  const Plan plan = plan_of(options, 16718);
  EXPECT_EQ(plan.steps_per_epoch, 168);
  EXPECT_EQ(plan.batch, 100);
  EXPECT_EQ(plan.epochs, 24);                            // 4000 steps
  EXPECT_EQ(plan.patience, 4);                           // a sixth
  EXPECT_EQ(plan.best_from, 8);                          // a third
  EXPECT_EQ(plan_of(options, 834).steps_per_epoch, 27);  // batches of 32 at most
  EXPECT_EQ(plan_of(options, 834).epochs, 149);
  EXPECT_EQ(plan_of(options, 1000000).steps_per_epoch, 2500);  // batches of 400
  EXPECT_EQ(plan_of(options, 1000000).epochs, 12);
  EXPECT_EQ(plan_of(options, 3).steps_per_epoch, 1);
  EXPECT_EQ(plan_of(options, 160).epochs, 192);  // 6 steps a row, 5 in an epoch
  options.patience = -1;
  EXPECT_EQ(plan_of(options, 3).patience, 0);
}

TEST(Plan, EpochsThatAreAskedForAreKept) {
  EXPECT_EQ(plan_of({.epochs = 3}, 16718).epochs, 3);
  EXPECT_EQ(plan_of({.epochs = 12}, 16718).epochs, 12);
  EXPECT_EQ(plan_of({.epochs = 3, .min_steps = 1000}, 16718).epochs, 6);
  EXPECT_EQ(plan_of({.min_steps = 0}, 16718).epochs, 12);
}

TEST(Plan, PrecisionIsTheFasterOneUnlessAsked) {
  const auto precision = [](Precision wish, bool faster) {
    return plan::make_plan({.precision = wish}, {.training_rows = 100, .bfloat = faster}).precision;
  };
  EXPECT_EQ(precision(Precision::kAuto, true), Precision::kBfloat16);
  EXPECT_EQ(precision(Precision::kAuto, false), Precision::kFloat32);
  EXPECT_EQ(precision(Precision::kFloat32, true), Precision::kFloat32);
  EXPECT_EQ(precision(Precision::kBfloat16, false), Precision::kBfloat16);
}

TEST(Plan, DrawsFollowTheNoise) {
  Options options;
  EXPECT_EQ(plan_of(options, 100).draws, 6);
  EXPECT_TRUE(plan_of(options, 100).stratified);
  EXPECT_FALSE(plan_of(options, 100).fair);
  EXPECT_EQ(plan_of(options, 100).noise_table, 66);  // strata of equal size
  options.noise_dim = 2;
  EXPECT_EQ(plan_of(options, 100).draws, 16);
  EXPECT_FALSE(plan_of(options, 100).stratified);
  EXPECT_TRUE(plan_of(options, 100).fair);
  EXPECT_EQ(plan_of(options, 100).noise_table, 256);
  options.draws = 5;
  EXPECT_EQ(plan_of(options, 100).draws, 5);
  options.architecture = Network::kPoint;
  EXPECT_EQ(plan_of(options, 100).draws, 1);
  EXPECT_EQ(plan_of(options, 100).noise_dim, 0);
}

TEST(Plan, CalibrationNeedsRowsToGoBy) {
  EXPECT_EQ(plan_of({}, 200, 29).calibrate, Calibrate::kNone);
  EXPECT_EQ(plan_of({}, 200, 29).trees, 0);
  const Plan small = plan_of({}, 200, 50), large = plan_of({}, 100000, 10000);
  EXPECT_EQ(small.calibrate, Calibrate::kInterval);
  EXPECT_TRUE(small.keep_tails);
  EXPECT_EQ(small.least_forest_weight, 0.1);
  EXPECT_EQ(large.calibration_rows, 4000u);
  EXPECT_EQ(large.interval_rows, 4000u);
  EXPECT_FALSE(large.keep_tails);
  EXPECT_EQ(large.least_forest_weight, 0.0025);
  EXPECT_EQ(large.trees, 64);
  EXPECT_EQ(plan::make_plan({}, {.training_rows = 1000, .validation_rows = 500, .targets = 2}).trees, 64);
}

TEST(Plan, SmallTablesAreCutIntoFolds) {
  const auto folds = [](const Options& options, std::size_t rows, const Roles& roles = {}) {
    return plan::fold_count(options, roles, rows);
  };
  EXPECT_EQ(folds({}, 499), 5u);
  EXPECT_EQ(folds({}, 500), 0u) << "a hold-out of 100 rows is enough";
  EXPECT_EQ(folds({}, 19), 0u);
  EXPECT_EQ(folds({.networks = 4}, 300), 0u) << "asked for what is quick";
  EXPECT_EQ(folds({.valid_fraction = 0}, 300), 0u);
  EXPECT_EQ(folds({.refit = false}, 300), 0u);
  EXPECT_EQ(folds({.calibrate = Calibrate::kConformal}, 300), 0u);
  EXPECT_EQ(folds({.time_limit = 5}, 300), 0u);
  EXPECT_EQ(folds({.valid_folds = 0}, 300), 0u);
  EXPECT_EQ(folds({.networks = 1, .valid_folds = 3}, 3000), 3u);
  EXPECT_EQ(folds({}, 300, {.targets = {"y"}, .weight = "", .ignore = {}, .valid_by = "day"}), 0u);
  const Plan plan = plan::make_plan({}, {.training_rows = 160, .validation_rows = 40, .folds = 5});
  EXPECT_EQ(plan.networks, 10);
  EXPECT_EQ(plan.calibration_rows, 200u);
  EXPECT_EQ(
      plan::make_plan({.networks = 12}, {.training_rows = 160, .validation_rows = 40, .folds = 5}).networks,
      12);
}

TEST(Plan, AProcessNeedsSomeRowsAndNotTooMany) {
  const auto rows_of_process = [](std::size_t training) {
    return plan::make_plan({}, {.training_rows = training, .validation_rows = 0, .folds = 5}).process_rows;
  };
  EXPECT_EQ(rows_of_process(39), 0u);
  EXPECT_EQ(rows_of_process(40), 40u);
  EXPECT_EQ(rows_of_process(1500), 1500u);
  EXPECT_EQ(rows_of_process(1501), 0u);
}

TEST(Plan, TreesOfSmallTablesAreSmallAndOfWideOnesLookAtFewColumns) {
  const plan::BoostShape small = plan::boost_shape(1999, 24), large = plan::boost_shape(2000, 25);
  EXPECT_EQ(small.leaves, 12u);
  EXPECT_EQ(small.least_leaf, 5);
  EXPECT_EQ(small.share, 0.8);
  EXPECT_EQ(large.leaves, 64u);
  EXPECT_EQ(large.least_leaf, 8);
  EXPECT_EQ(large.share, 0.4);
}

TEST(Plan, ANodeOfTheForestTriesAPartOfManyFeatures) {
  for (const auto& [all, tried] :
       {std::pair{0u, 0u}, {1u, 1u}, {32u, 32u}, {33u, 32u}, {96u, 32u}, {100u, 33u}})
    EXPECT_EQ(plan::forest_features(all), tried) << all;
}

TEST(Plan, TheSampleOfALargeTableTakesAQuarterOfTheMemory) {
  EXPECT_EQ(plan::sample_limit(std::uint64_t{32} << 20, 10), (std::size_t{8} << 20) / 80);
  EXPECT_EQ(plan::sample_limit(1, 10), LargeTable::kFewestSampleRows);
  EXPECT_EQ(plan::sample_limit(std::uint64_t{1} << 50, 0), LargeTable::kMostSampleRows);
}

TEST(Plan, TheRefitIsAPartOfATrainingOnAllRows) {
  const Plan plan = plan_of({}, 9000, 1000);
  EXPECT_TRUE(plan.refit);
  EXPECT_EQ(plan.refit_steps_per_epoch, 100);
  EXPECT_EQ(plan.refit_epochs, 40);
  const Plan late = plan::refit_plan(plan, 40), early = plan::refit_plan(plan, 4),
             first = plan::refit_plan(plan, 1);
  EXPECT_EQ(late.epochs, 10);  // an eighth of 40 and an eighth of 40
  EXPECT_EQ(early.epochs, 2);  // half of the best
  EXPECT_EQ(first.epochs, 1);
  EXPECT_EQ(late.training_rows, 10000u);
  EXPECT_EQ(late.learning_rate, 1e-3);
  EXPECT_NE(late.seed, plan.seed);
  EXPECT_FALSE(plan_of({.refit = false}, 9000, 1000).refit);
  EXPECT_FALSE(plan_of({.calibrate = Calibrate::kConformal}, 9000, 1000).refit);
  EXPECT_FALSE(
      plan::make_plan({}, {.training_rows = 9000, .validation_rows = 1000, .own_validation = true}).refit);
}

TEST(Plan, LearningRate) {
  Plan plan;
  plan.learning_rate = 1;
  plan.warmup = 0.1;
  EXPECT_NEAR(plan::learning_rate(plan, 0, 1000), 0.01, 1e-12);
  EXPECT_NEAR(plan::learning_rate(plan, 500, 1000), 0.5, 1e-12);
  EXPECT_LT(plan::learning_rate(plan, 999, 1000), 1e-5);
  plan.schedule = Schedule::kConstant;
  EXPECT_EQ(plan::learning_rate(plan, 0, 1000), 1.0);
}

TEST(Plan, IsMadeFromATableAndShown) {
  Table table;
  Stream random(1, Purpose::kTest);
  std::vector<double> x(3000), y(3000);
  std::vector<std::string> color(3000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = random.normal();
    y[i] = x[i] + random.normal();
    color[i] = i % 3 == 0 ? "" : i % 2 == 0 ? "red" : "blue";
  }
  table.add_numbers("x", x);
  table.add_numbers("z", y);
  table.add_categories("color", color);
  table.add_numbers("y", y);
  const Plan plan = plan_fit(std::move(table), {{"y"}, "", {}});
  EXPECT_EQ(plan.training_rows, 2500u);
  EXPECT_EQ(plan.validation_rows, 500u);
  ASSERT_EQ(plan.inputs.size(), 3u);
  EXPECT_EQ(plan.inputs[0].transform, Transform::kRankit);
  EXPECT_TRUE(plan.inputs[0].by_value);
  EXPECT_EQ(plan.inputs[2].categories, 2u);
  EXPECT_TRUE(plan.inputs[2].missing);
  ASSERT_EQ(plan.targets.size(), 1u);
  EXPECT_EQ(plan.targets[0].transform, Transform::kQuantile);
  const std::string text = to_text(plan);
  for (const char* part :
       {"2,500 for training, 500 for validation", "2 numbers (2 rankit; 2 also by value)",
        "1 category (2 values)", "y (quantile)", "1 column with missing values", "6 dnplus", "64 trees"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Plan, NamesWhatKeepsItsShape) {
  Stream random(3, Purpose::kTest);
  std::vector<double> x(600), a(600), b(600), far(600);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = random.uniform_double() + static_cast<double>(i % 3) * 1.5;
    a[i] = random.uniform_double();
    b[i] = 100 * random.uniform_double();
    far[i] = i == 0 ? 100 : random.uniform_double();
  }
  const auto plan = [&](const std::vector<double>& second, bool lonely) {
    Table table;
    table.add_numbers("x", x);
    if (!lonely) table.add_numbers("z", x);
    table.add_numbers("a", a);
    table.add_numbers("b", second);
    return plan_fit(std::move(table), {{"a", "b"}, "", {}});
  };
  const Plan only = plan(b, true), beside = plan(far, false);
  EXPECT_EQ(only.inputs[0].transform, Transform::kEven);
  for (const TargetPlan& target : only.targets) EXPECT_EQ(target.transform, Transform::kEven);
  EXPECT_NE(to_text(only).find("a (even), b (even)"), std::string::npos);
  EXPECT_EQ(beside.inputs[0].transform, Transform::kRankit);
  for (const TargetPlan& target : beside.targets) EXPECT_EQ(target.transform, Transform::kSmooth);
}

}  // namespace
}  // namespace mirrorball
