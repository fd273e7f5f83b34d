#include "mirrorball/fit_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mirrorball/mirrorball.h"
#include "model/toy.h"

namespace mirrorball {
namespace {

Options short_fit(Calibrate calibrate = Calibrate::kInterval) {
  Options options = toy::options();
  options.epochs = 10;
  options.calibrate = calibrate;
  return options;
}

Model fit_y(std::size_t rows, const Options& options, std::uint64_t seed = 1) {
  return fit(toy::table(rows, seed), {{"y"}, "weight", {"z"}}, options);
}

/// Bad networks and few validation rows: the calibration of 40 rows looks better on themselves than it is.
/// Over many fits the estimate is what fresh rows show.
TEST(FitReport, IsNotBiasedByTheCalibration) {
  constexpr std::uint64_t kFits = 40;
  double crps = 0, fresh_crps = 0, coverage = 0, fresh_coverage = 0;
  for (std::uint64_t i = 0; i < kFits; ++i) {
    Options options = short_fit();
    options.networks = 1;
    options.width = 16;
    options.forest = 0;
    options.gaussian_process = 0;
    options.best_after = 1;
    options.patience = -1;
    options.seed = i;
    const Model model =
        fit(toy::table(150, 100 + i), toy::table(40, 200 + i), {{"y"}, "", {"z", "weight"}}, options);
    ASSERT_EQ(model.fit_report().rows, 40u);
    ASSERT_TRUE(model.fit_report().cross_fitted);
    const Table fresh = toy::table(400, 300 + i);
    const TargetScores truth = score(model.predict(fresh), model.observed(fresh)).targets[0];
    crps += model.fit_report().targets[0].crps / kFits;
    coverage += model.fit_report().targets[0].coverage / kFits;
    fresh_crps += truth.crps.mean / kFits;
    fresh_coverage += truth.intervals[1].coverage / kFits;
  }
  EXPECT_NEAR(crps / fresh_crps, 1, 0.06);
  // 27 rows of three folds ask for 26 inside, which is 26/28 of fresh rows; 40 rows ask for 37: 37/41.
  EXPECT_NEAR(coverage - fresh_coverage, 26.0 / 28 - 37.0 / 41, 0.015);
}

TEST(FitReport, TheTrainingDistributionIsScoredOnTheSameRows) {
  Options options = short_fit();
  options.threads = 1;
  const Table train = toy::table(300, 1), valid = toy::table(60, 2);
  const Model model = fit(toy::table(300, 1), toy::table(60, 2), {{"y"}, "", {"z", "weight"}}, options);
  std::vector<double> values(300);
  train.copy_numbers(train.column("y"), 0, 300, values.data());
  double expected = 0;
  for (std::size_t row = 0; row < 60; ++row) expected += crps(values, valid.number(row, 4)) / 60;
  const TargetFit& y = model.fit_report().targets[0];
  EXPECT_EQ(y.name, "y");
  EXPECT_NEAR(y.training_crps, expected, 1e-5 * expected);
  EXPECT_DOUBLE_EQ(y.skill(), 1 - y.crps / y.training_crps);
  EXPECT_GT(y.skill(), 0.3);
}

TEST(FitReport, EveryKindOfFitHasOne) {
  EXPECT_EQ(fit_y(400, short_fit(Calibrate::kInterval)).fit_report().rows, 80u);
  const FitReport conformal = fit_y(400, short_fit(Calibrate::kConformal)).fit_report();
  EXPECT_EQ(conformal.rows, 40u);
  EXPECT_TRUE(conformal.conformal_rows && conformal.cross_fitted);
  const FitReport raw = fit_y(400, short_fit(Calibrate::kNone)).fit_report();
  EXPECT_EQ(raw.rows, 80u);
  EXPECT_FALSE(raw.conformal_rows || raw.cross_fitted);
  EXPECT_FALSE(fit_y(60, short_fit()).fit_report().cross_fitted);  // 12 rows calibrate nothing
  Options point = short_fit();
  point.architecture = Network::kPoint;
  EXPECT_GT(fit_y(400, point).fit_report().targets[0].mae, 0);
  const FitReport two = fit(toy::table(400), toy::roles(), short_fit()).fit_report();
  ASSERT_EQ(two.targets.size(), 2u);
  EXPECT_EQ(two.targets[1].name, "z");
  EXPECT_GT(two.targets[1].width, two.targets[0].width);
}

TEST(FitReport, WithoutHeldOutRowsThereIsNone) {
  Options options = short_fit();
  options.valid_fraction = 0;
  const Model model = fit_y(200, options);
  EXPECT_EQ(model.fit_report().rows, 0u);
  EXPECT_EQ(to_json(model.fit_report()), "null");
  EXPECT_EQ(model.description().find("fit_report"), std::string::npos);
  EXPECT_EQ(fit_y(40, short_fit()).fit_report().rows, 0u) << "8 validation rows are too few";
}

TEST(FitReport, TheFileKeepsIt) {
  const Model model = fit(toy::table(400), toy::roles(), short_fit());
  const Model loaded = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(to_json(loaded.fit_report()), to_json(model.fit_report()));
  const auto json = nlohmann::json::parse(to_json(model.fit_report()));
  EXPECT_EQ(json["rows"], 80);
  EXPECT_EQ(json["kind"], "validation");
  for (const char* field : {"crps", "mae", "coverage_90", "width_90", "training_crps", "skill"})
    EXPECT_TRUE(json["targets"]["z"][field].is_number()) << field;
}

}  // namespace
}  // namespace mirrorball
