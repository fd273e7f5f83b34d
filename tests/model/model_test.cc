#include "mirrorball/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mirrorball/score.h"
#include "model/toy.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

std::vector<double> all_draws(const Predictive& forecast) {
  std::vector<double> values;
  for (std::size_t row = 0; row < forecast.rows(); ++row)
    for (std::size_t t = 0; t < forecast.targets(); ++t)
      values.insert(values.end(), forecast.row_samples(row, t).begin(), forecast.row_samples(row, t).end());
  return values;
}

std::vector<double> numbers_of(const Table& table, const std::string& name) {
  std::vector<double> values(table.rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = table.number(row, table.column(name));
  return values;
}

/// One fit serves the tests that only look at it.
const Model& fitted() {
  static const Model model = fit(toy::table(800), toy::roles(), toy::options());
  return model;
}

TEST(Model, LearnsNumbersCategoriesAndGaps) {
  const Table test = toy::table(300, 2);
  const Scores scores = score(fitted().predict(test), fitted().observed(test));
  // The marginals score about 1.2 and 10; noise alone about 0.17 and 0.56.
  EXPECT_LT(scores.targets[0].crps.mean, 0.45);
  EXPECT_LT(scores.targets[1].crps.mean, 3.0);
  EXPECT_GT(scores.targets[0].intervals[1].coverage, 0.7);
}

TEST(Model, DescribesItself) {
  EXPECT_EQ(fitted().targets(), (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(fitted().features(), (std::vector<std::string>{"a", "b", "kind"}));
  EXPECT_EQ(fitted().history().size(), 2u);
  EXPECT_EQ(fitted().training_rows(), 800u);
  const Table typical = fitted().typical_rows(3);
  EXPECT_EQ(typical.rows(), 3u);
  EXPECT_NEAR(typical.number(0, typical.column("a")), 0, 0.2);
  EXPECT_EQ(fitted().predict(typical).rows(), 3u);
  const ReadOptions read = fitted().read_options(true);
  EXPECT_EQ(read.numbers, (std::vector<std::string>{"a", "b", "y", "z"}));
  EXPECT_EQ(read.categories, (std::vector<std::string>{"kind"}));
}

TEST(Model, DrawsDependOnSeedAndRowAlone) {
  const Table test = toy::table(50, 2);
  PredictOptions options{64, 5, 1};
  const Predictive whole = fitted().predict(test, options);
  options.threads = 7;
  EXPECT_EQ(all_draws(fitted().predict(test, options)), all_draws(whole));
  const Predictive part = fitted().predict(test, 20, 31, options);
  EXPECT_EQ(part.rows(), 11u);
  for (std::size_t t = 0; t < 2; ++t)
    EXPECT_TRUE(std::equal(part.row_samples(3, t).begin(), part.row_samples(3, t).end(),
                           whole.row_samples(23, t).begin()));
  options.seed = 6;
  EXPECT_NE(all_draws(fitted().predict(test, options)), all_draws(whole));
}

TEST(Model, AnyNumberOfDraws) {
  const Table test = toy::table(3, 2);
  for (std::size_t samples : {1u, 2u, 3u, 127u, 129u, 500u, 1001u}) {
    const Predictive forecast = fitted().predict(test, {samples, 0, 2});
    ASSERT_EQ(forecast.samples(), samples);
    // The mean of few, evenly spread draws is near that of many.
    if (samples > 100) {
      EXPECT_NEAR(forecast.mean(0), fitted().predict(test, {4000, 0, 2}).mean(0), 0.1);
    }
  }
}

TEST(Model, TheFirstDrawsAreAFairSample) {
  const Table test = toy::table(1, 2);
  const Predictive forecast = fitted().predict(test, {1000, 0, 1});
  double mean = 0;
  for (double draw : forecast.row_samples(0).first(100)) mean += draw / 100;
  EXPECT_NEAR(mean, forecast.mean(0), 4 * forecast.sd(0) / 10);
}

TEST(Model, ThreeKindsOfNetworkAndEveryTransformOfTargets) {
  for (const char* network : {"dnplus", "disco", "point"})
    for (const char* transform : {"quantile", "standard", "rankit", "none"}) {
      Options options = toy::options();
      set_option(options, "architecture", network);
      set_option(options, "input_transform", transform);
      set_option(options, "target_transform", transform);
      options.epochs = 15;
      const Model model = fit(toy::table(400), {{"y"}, "", {"z"}}, options);
      const Table test = toy::table(200, 2);
      const Predictive forecast = model.predict(test, {100, 0, 0});
      EXPECT_EQ(forecast.samples(), options.architecture == Network::kPoint ? 2u : 100u);
      EXPECT_LT(score(forecast, model.observed(test)).targets[0].mae, 1.2) << network << " " << transform;
      // Transforms without quantiles leave the range of the training targets.
      const Limits limits = forecast.limits();
      EXPECT_EQ(std::isinf(limits.low) && std::isinf(limits.high),
                transform == std::string("standard") || transform == std::string("none"));
      for (std::size_t row = 0; row < forecast.rows(); ++row)
        for (const double sample : forecast.row_samples(row)) {
          EXPECT_GE(sample, limits.low);
          EXPECT_LE(sample, limits.high);
        }
    }
}

TEST(Model, NoiseOfAPredictionIsEvenOrIndependent) {
  const Table test = toy::table(1, 2);
  const auto spread_of_means = [&](PredictionNoise noise) {
    Options options = preset("paper");
    options.width = 16;
    options.epochs = 3;
    options.prediction_noise = noise;
    const Model model = fit(toy::table(200), {{"y"}, "", {"z"}}, options);
    constexpr int kSeeds = 40, kSamples = 1000;
    double squares = 0;
    const Predictive many = model.predict(test, {20000, 99, 1});
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
      squares += std::pow(model.predict(test, {kSamples, seed, 1}).mean(0) - many.mean(0), 2);
    // In units of the error that independent samples have.
    return std::sqrt(squares / kSeeds * kSamples) / many.sd(0);
  };
  EXPECT_NEAR(spread_of_means(PredictionNoise::kIndependent), 1, 0.4);
  EXPECT_LT(spread_of_means(PredictionNoise::kEven), 0.4);
}

TEST(Model, AValidationTableIsUsed) {
  Table strange = toy::table(100, 3);
  Options options = toy::options();
  options.patience = -1;
  options.epochs = 10;
  const Model same = fit(toy::table(300), toy::table(100, 3), toy::roles(), options);
  // Rows of another world: y and z are the other's values.
  Table other;
  for (const char* name : {"a", "b", "weight"}) other.add_numbers(name, numbers_of(strange, name));
  other.add_categories("kind", std::vector<std::string>(100, "left"));
  other.add_numbers("y", numbers_of(strange, "z"));
  other.add_numbers("z", numbers_of(strange, "y"));
  const Model different = fit(toy::table(300), std::move(other), toy::roles(), options);
  for (const Model* model : {&same, &different}) EXPECT_EQ(model->training_rows(), 300u);
  // It is not trained on, and it is what scores the epochs.
  EXPECT_EQ(same.history()[0].train, different.history()[0].train);
  EXPECT_GT(different.history()[0].valid.back(), 3 * same.history()[0].valid.back());
}

TEST(Model, AConstantTargetIsPredictedExactly) {
  Table table;
  table.add_numbers("x", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  table.add_numbers("y", std::vector<double>(8, 2.5));
  Options options = toy::options();
  options.epochs = 2;
  const Model model = fit(std::move(table), {{"y"}, "", {}}, options);
  const Predictive forecast = model.predict(model.typical_rows(1));
  for (double draw : forecast.row_samples(0)) EXPECT_EQ(draw, 2.5);
  EXPECT_EQ(forecast.limits().low, 2.5);
  EXPECT_EQ(forecast.limits().high, 2.5);
}

/// y = x + noise, two targets with correlated noise; all standard normal.
Table linear_table(std::size_t rows, std::uint64_t seed, double offset) {
  std::vector<double> x(rows), y1(rows), y2(rows);
  Stream random(seed, Purpose::kTest);
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = random.normal();
    x[i] = random.normal();
    y1[i] = offset + x[i] + a;
    y2[i] = offset + x[i] + 0.8 * a + 0.6 * random.normal();
  }
  Table table;
  table.add_numbers("x", x);
  table.add_numbers("y1", y1);
  table.add_numbers("y2", y2);
  return table;
}

/// Two targets with default sampling: intervals cover, joint draws correlate as they should. Targets far from
/// zero lose nothing.
TEST(Model, CoversTwoTargetsJointlyWhereverTheyLie) {
  for (double offset : {0.0, 1.7e9}) {
    Options options = toy::options();
    options.learning_rate = 2e-3;
    const Model model = fit(linear_table(4000, 1, offset), {{"y1", "y2"}, "", {}}, options);
    const Table test = linear_table(800, 2, offset);
    const Predictive forecast = model.predict(test);
    const Scores scores = score(forecast, model.observed(test));
    for (const TargetScores& target : scores.targets) {
      EXPECT_GT(target.intervals[1].coverage, 0.835) << offset;  // small networks are a little too sure
      EXPECT_LT(target.intervals[1].coverage, 0.95) << offset;
      EXPECT_LT(target.crps.mean, 0.62) << offset;  // the true law scores 0.564
      EXPECT_EQ(target.nll_floored, 0u);
    }
    double product = 0;
    for (std::size_t i = 0; i < forecast.samples(); ++i)
      product += (forecast.row_samples(0, 0)[i] - forecast.mean(0, 0)) *
                 (forecast.row_samples(0, 1)[i] - forecast.mean(0, 1));
    const double samples = static_cast<double>(forecast.samples());
    EXPECT_NEAR(product / samples / forecast.sd(0, 0) / forecast.sd(0, 1), 0.8, 0.12) << offset;
    EXPECT_GE(model.digits(), offset == 0.0 ? 7 : 15);
  }
}

/// Few draws a step must not make few values: y is uniform, and so must its forecast be.
TEST(Model, FewDrawsLeaveNoLumps) {
  constexpr std::size_t kRows = 2000, kDraws = 2000;
  std::vector<double> x(kRows), y(kRows);
  Stream random(3, Purpose::kTest);
  for (std::size_t i = 0; i < kRows; ++i) {
    x[i] = random.normal();
    y[i] = random.uniform_double();
  }
  Table table;
  table.add_numbers("x", x);
  table.add_numbers("y", y);
  Options options;
  options.networks = 1;
  options.width = 32;
  options.waves = 0;
  options.draws = 4;
  options.forest = 0;
  options.gaussian_process = 0;
  options.calibrate = Calibrate::kNone;
  options.input_transform = Transform::kRankit;
  options.target_transform = Transform::kStandard;
  options.learning_rate = 0.01;
  const Model model = fit(std::move(table), {{"y"}, "", {}}, options);
  const Predictive one = model.predict(model.typical_rows(1), {.samples = kDraws});
  std::vector<double> draws(one.row_samples(0).begin(), one.row_samples(0).end());
  std::sort(draws.begin(), draws.end());
  double farthest = 0;  // Kolmogorov's distance; four lumps would be 1/8 from it
  for (std::size_t i = 0; i < kDraws; ++i)
    farthest = std::max(farthest, std::fabs(draws[i] - (static_cast<double>(i) + 0.5) / kDraws));
  EXPECT_LT(farthest, 0.08);
}

TEST(Model, TheCallbackEndsTrainingWithAUsableModel) {
  int calls = 0;
  const Model model =
      fit(toy::table(300), toy::roles(), toy::options(), [&](const Progress&) { return ++calls < 3; });
  EXPECT_GE(model.history().size(), 1u);
  EXPECT_TRUE(model.history()[0].stopped);
  EXPECT_EQ(model.predict(toy::table(5, 2)).rows(), 5u);
}

// With default options, most of the time of a fit of so few rows goes into its experts. One thread fits them
// first, and the first news are theirs.
TEST(Model, TheCallbackEndsTheFitOfExpertsToo) {
  Options options;
  options.threads = 1;
  std::vector<Progress> news;
  const Model model = fit(toy::table(700), toy::roles(), options, [&](const Progress& now) {
    news.push_back(now);
    return false;
  });
  ASSERT_LE(news.size(), 2u);  // the other one: a calibration begins
  EXPECT_EQ(news[0].phase, FitPhase::kForest);
  EXPECT_EQ(model.history().size(), 1u);
  EXPECT_EQ(model.predict(toy::table(5, 2)).rows(), 5u);
}

TEST(Model, SaysWhichRowsItHasSeen) {
  Options options = toy::options();
  options.refit = true;
  EXPECT_EQ(fit(toy::table(300), toy::roles(), options).training_rows(), 300u);
  const Model stopped = fit(toy::table(300), toy::roles(), options,
                            [](const Progress& now) { return now.phase != FitPhase::kRefit; });
  EXPECT_LT(stopped.training_rows(), 300u);
  EXPECT_FALSE(stopped.history()[0].refit || stopped.history()[0].stopped);
  EXPECT_EQ(stopped.predict(toy::table(5, 2)).rows(), 5u);
}

std::string refused_fit(Table table, const Roles& roles, Options options = toy::options()) {
  return refusal([&] { fit(std::move(table), roles, options); });
}

TEST(Model, RefusesRolesThatCannotBe) {
  EXPECT_NE(refused_fit(toy::table(9), {{}, "", {}}).find("no target"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"Y"}, "", {}}).find("did you mean 'y'?"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"y", "y"}, "", {}}).find("twice"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"kind"}, "", {}}).find("contains text ("), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"y"}, "y", {}}).find("both weight and target"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"y"}, "", {"y"}}).find("ignored too"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(9), {{"y"}, "", {"nothing"}}).find("nothing"), std::string::npos);
  EXPECT_NE(
      refused_fit(toy::table(9), {{"y"}, "", {"a", "b", "kind", "weight", "z"}}).find("no features left"),
      std::string::npos);
  EXPECT_NE(refused_fit(toy::table(60), {{"b"}, "", {}}).find("is missing in"), std::string::npos);
  EXPECT_NE(refused_fit(toy::table(60), {{"y"}, "a", {}}).find("weights must be 0 or more"),
            std::string::npos);
  EXPECT_NE(refused_fit(toy::table(1), {{"y"}, "", {}}).find("of 1 row for validation"), std::string::npos);
  Options options = toy::options();
  options.width = -3;
  EXPECT_EQ(refused_fit(toy::table(9), {{"y"}, "", {}}, options), "width -3 is out of range: use 1 to 4096");
}

TEST(Model, RefusesTablesThatDoNotFit) {
  Table lacking;
  lacking.add_numbers("a", std::vector<double>{1});
  EXPECT_THROW(fitted().predict(lacking), std::invalid_argument);
  EXPECT_THROW(fitted().observed(lacking), std::invalid_argument);
  EXPECT_THROW(fitted().predict(toy::table(5), 2, 6), std::invalid_argument);
  EXPECT_THROW(fitted().predict(toy::table(5), {0, 0, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace mirrorball
