#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "mirrorball/explain.h"
#include "model/toy.h"
#include "report/chosen_rows.h"
#include "report/compare.h"
#include "report/drivers.h"

namespace mirrorball::report {
namespace {

using Json = nlohmann::json;

/// Features a, b (with gaps) and kind, targets y and z; fitted once.
const Model& model() {
  static const Model fitted = [] {
    Options quick = toy::options();
    quick.epochs = 8;
    quick.width = 16;
    quick.forest = 4;
    quick.gaussian_process = 0;
    return fit(toy::table(400), toy::roles(), quick);
  }();
  return fitted;
}

ReportOptions quick() {
  ReportOptions options;
  options.model_name = "toy.mirrorball";
  options.data_name = "toy.csv";
  options.explained = 5;
  options.samples = 100;
  return options;
}

/// The toy table with one column put through `change`.
Table changed(std::size_t rows, const std::string& name, const std::function<double(double)>& change) {
  const Table from = toy::table(rows, 9);
  Table to;
  for (std::size_t column = 0; column < from.columns(); ++column) {
    if (from.type(column) == ColumnType::kCategory) {
      std::vector<std::string> cells;
      for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t code = from.code(row, column);
        cells.push_back(code == Table::kMissing ? ""
                                                : from.categories(column)[static_cast<std::size_t>(code)]);
      }
      if (from.name(column) == name)
        for (std::size_t row = 0; row < 7; ++row) cells[row] = "middle";
      to.add_categories(from.name(column), cells);
    } else {
      std::vector<double> values(rows);
      from.copy_numbers(column, 0, rows, values.data());
      if (from.name(column) == name) std::transform(values.begin(), values.end(), values.begin(), change);
      to.add_numbers(from.name(column), values);
    }
  }
  return to;
}

bool warns(const Report& report, const std::string& part) {
  return std::any_of(report.warnings.begin(), report.warnings.end(),
                     [&](const Warning& one) { return one.text.find(part) != std::string::npos; });
}

TEST(Report, SaysTheSameAsTheScores) {
  const Table table = toy::table(250, 9);
  const Report report = make_report(model(), table, quick());
  const Json json = Json::parse(report.json);
  const Predictive draws = model().predict(table, {.samples = 100});
  const Scores scores = score(draws, model().observed(table));
  ASSERT_EQ(json["targets"].size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    const Json& target = json["targets"][t];
    EXPECT_EQ(target["calibration"]["words"], scores.targets[t].calibration.words);
    EXPECT_NEAR(target["scores"]["crps"][0], scores.targets[t].crps.mean, 1e-4 * scores.targets[t].crps.mean);
    EXPECT_NEAR(target["scores"]["mae"][0], scores.targets[t].mae, 1e-4 * scores.targets[t].mae);
    for (const Json& one : target["intervals"]) {
      if (one["level"] != 0.9) continue;
      EXPECT_NEAR(one["coverage"], scores.targets[t].intervals[1].coverage, 1e-4);
    }
    const double total = std::accumulate(target["pit"]["shares"].begin(), target["pit"]["shares"].end(), 0.0,
                                         [](double sum, const Json& one) { return sum + one.get<double>(); });
    EXPECT_NEAR(total, 1, 1e-3);
    EXPECT_EQ(target["best"].size(), 4u);
    EXPECT_LT(target["best"][0]["crps"], target["worst"][0]["crps"]);
    EXPECT_EQ(target["worst"][0]["draws"].size(), 100u) << "all of them, as everywhere";
    for (const Json& draw : target["worst"][0]["draws"])
      EXPECT_TRUE(target["low"] <= draw && draw <= target["high"]) << draw;
  }
  EXPECT_EQ(json["fans"].size(), 3u);
  EXPECT_EQ(json["joint"]["rows"].size(), 5u);
  EXPECT_EQ(json["data"]["used"], 250);
  ASSERT_EQ(report.summary.size(), 3u);
  EXPECT_NE(report.summary[0].find("On these 250 rows the mean absolute error of y is "), std::string::npos);
  EXPECT_NE(report.summary[0].find(" lower than that of the training distribution"), std::string::npos)
      << report.summary[0];
}

TEST(Report, SplitsTheUncertaintyIntoItsParts) {
  const Table table = toy::table(250, 9);
  const Json json = Json::parse(make_report(model(), table, quick()).json);
  const Predictive draws = model().predict(table, {.samples = 100});
  const Scores scores = score(draws, model().observed(table));
  for (std::size_t t = 0; t < 2; ++t) {
    UncertaintyParts mean;
    for (std::size_t row = 0; row < 250; ++row) {
      mean.aleatoric += draws.uncertainty(row, t).expected_crps.aleatoric / 250;
      mean.epistemic += draws.uncertainty(row, t).expected_crps.epistemic / 250;
    }
    const Json& found = json["targets"][t]["uncertainty"];
    EXPECT_NEAR(found["aleatoric"], mean.aleatoric, 1e-3 * mean.aleatoric);
    EXPECT_NEAR(found["epistemic"], mean.epistemic, 1e-3 * mean.epistemic);
    EXPECT_NEAR(found["crps"], scores.targets[t].crps.mean, 1e-3 * scores.targets[t].crps.mean);
    ASSERT_EQ(found["groups"].size(), 5u);
    double sum = 0, last = 0;
    for (const Json& group : found["groups"]) {
      EXPECT_EQ(group["rows"], 50);
      EXPECT_GT(group["epistemic"], last);
      last = group["epistemic"];
      sum += last / 5;
    }
    EXPECT_NEAR(sum, mean.epistemic, 1e-3 * mean.epistemic);
  }
}

TEST(Report, ASingleNetworkHasNoPartsOfItsUncertainty) {
  Options single = toy::options();
  single.networks = 1;
  single.epochs = 2;
  single.forest = 0;
  const Model alone = fit(toy::table(200), toy::roles(), single);  // several targets have no Gaussian process
  const Json json = Json::parse(make_report(alone, toy::table(60, 9), quick()).json);
  EXPECT_FALSE(json["targets"][0].contains("uncertainty"));
}

TEST(Report, TheSameInputGivesTheSameBytesWhateverTheThreads) {
  const Table table = toy::table(120, 3);
  ReportOptions one = quick(), two = quick();
  one.threads = 1;
  two.threads = 3;
  EXPECT_EQ(make_report(model(), table, one).json, make_report(model(), table, two).json);
}

TEST(Report, WithoutOutcomesItSaysWhatItCan) {
  const Table whole = toy::table(150, 9);
  std::vector<std::size_t> rows(150);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Table table;
  for (const char* name : {"a", "b"}) {
    std::vector<double> values(150);
    whole.copy_numbers(whole.column(name), 0, 150, values.data());
    table.add_numbers(name, values);
  }
  table.add_categories("kind", std::vector<std::string>(150, "left"));
  table.add_numbers("y", std::vector<double>(150, 1.0));  // one of two targets is not enough
  const Report report = make_report(model(), table, quick());
  const Json json = Json::parse(report.json);
  EXPECT_EQ(json["data"]["scored"], false);
  EXPECT_FALSE(json["targets"][0].contains("scores"));
  EXPECT_EQ(json["targets"][0]["best"].size(), 4u);
  EXPECT_EQ(json["drift"].size(), 3u);
  EXPECT_TRUE(json["targets"][1].contains("drivers"));
  EXPECT_TRUE(warns(report, "The data has no column z"));
  EXPECT_NE(report.summary[0].find("no outcomes"), std::string::npos);
}

TEST(Report, RowsWithoutAnOutcomeAreLeftOut) {
  int count = 0;
  const Table table = changed(200, "y", [&](double y) { return ++count <= 20 ? NAN : y; });
  const Report report = make_report(model(), table, quick());
  EXPECT_EQ(Json::parse(report.json)["data"]["used"], 180);
  EXPECT_TRUE(warns(report, "20 rows without an outcome are left out"));
}

TEST(Report, WarnsOfDataThatTrainingDidNotHave) {
  const Report good = make_report(model(), toy::table(300, 9), quick());
  for (const char* part : {"did not occur", "missing in", "very different", "too narrow"})
    EXPECT_FALSE(warns(good, part)) << part;

  const Report moved = make_report(model(), changed(300, "a", [](double a) { return a + 6; }), quick());
  EXPECT_TRUE(warns(moved, "a value outside the training range, in a"));
  EXPECT_TRUE(warns(moved, "very different from the training rows in a"));

  const Report gaps =
      make_report(model(), changed(300, "a", [](double a) { return a > 1 ? NAN : a; }), quick());
  EXPECT_TRUE(warns(gaps, "missing in a, where training had no missing values"));

  const Report strange = make_report(model(), changed(300, "kind", {}), quick());
  EXPECT_TRUE(warns(strange, "kind has a category new or rare in training (middle), in 7 rows"));
}

TEST(Report, UnknownCategoriesOfManyFeaturesAreOneWarning) {
  const auto table = [](std::size_t rows, std::size_t strange) {
    Table made;
    std::vector<double> y(rows);
    Stream random(7, Purpose::kTest);
    for (double& value : y) value = random.normal();
    for (std::size_t c = 0; c < 5; ++c) {
      std::vector<std::string> kind(rows);
      for (std::size_t i = 0; i < rows; ++i)
        kind[i] = c < strange && i <= c ? "new" : i % 2 ? "left" : "right";
      made.add_categories(fmt::format("kind{}", c), kind);
    }
    made.add_numbers("y", y);
    return made;
  };
  Options little = toy::options();
  little.epochs = 2;
  const Model fitted = fit(table(200, 0), {{"y"}, "", {}}, little);
  const Report many = make_report(fitted, table(120, 5), quick());
  EXPECT_TRUE(
      warns(many, "5 features have categories new or rare in training: kind4 (5 rows), kind3 (4 rows)"));
  EXPECT_FALSE(warns(many, "has a category"));
  const Report few = make_report(fitted, table(120, 3), quick());
  EXPECT_TRUE(warns(few, "kind2 has a category new or rare in training (new), in 3 rows"));
}

TEST(Report, WarnsOfForecastsThatAreWrong) {
  const Report wrong = make_report(model(), changed(300, "y", [](double y) { return 3 - y; }), quick());
  EXPECT_TRUE(warns(wrong, "y: ") &&
              warns(wrong, "predicted probabilities and observed frequencies differ by up"));
  EXPECT_EQ(wrong.warnings.front().weight, Warning::Weight::kBad) << "the gravest first";
  for (const Warning& one : wrong.warnings) {
    const std::string words = one.text.substr(one.text.find(": ") + 2);  // behind the name of its target
    EXPECT_TRUE(!one.in_summary ||
                std::any_of(wrong.summary.begin(), wrong.summary.end(),
                            [&](const std::string& text) { return text.find(words) != text.npos; }))
        << one.text;
  }
  EXPECT_FALSE(warns(wrong, "z: Too narrow") || warns(wrong, "z: Biased"));

  const Report shifted = make_report(model(), changed(300, "z", [](double z) { return z + 40; }), quick());
  EXPECT_TRUE(warns(shifted, "z: Forecasts are too low by"));
  EXPECT_TRUE(warns(shifted, "z: Biased: ")) << "pure bias is no overconfidence";
  EXPECT_FALSE(warns(shifted, "too narrow"));
  EXPECT_LT(Json::parse(shifted.json)["targets"][1]["scores"]["explained"][0], -1)
      << "nothing is cut off at 0";
  EXPECT_TRUE(warns(shifted, "outside the training range"));
  EXPECT_TRUE(warns(shifted, "z: The forecasts are worse than the training distribution"));

  EXPECT_TRUE(warns(make_report(model(), toy::table(30, 2), quick()), "Only 30 rows"));
  EXPECT_TRUE(warns(make_report(model(), toy::table(400, 2), quick()), "as many as the training table"));
}

TEST(Report, WarnsOfASpreadThatHasCollapsed) {
  // Networks without noise give one number each.
  Options point = toy::options();
  point.architecture = Network::kPoint;
  point.networks = 1;
  point.epochs = 2;
  const Report report = make_report(fit(toy::table(300), toy::roles(), point), toy::table(100, 4), quick());
  EXPECT_TRUE(warns(report, "no noise input"));
}

TEST(Report, AConstantTargetIsForecastRightly) {
  Options little = toy::options();
  little.epochs = 2;
  const auto constant = [](double) { return 3.5; };
  const Report report = make_report(fit(changed(300, "y", constant), toy::roles(), little),
                                    changed(100, "y", constant), quick());
  EXPECT_EQ(Json::parse(report.json)["targets"][0]["calibration"]["verdict"], "point");
  EXPECT_NE(report.summary[0].find("Every forecast is a single number"), std::string::npos)
      << report.summary[0];
  EXPECT_TRUE(std::none_of(report.warnings.begin(), report.warnings.end(),
                           [](const Warning& one) { return one.text.starts_with("y: "); }));
}

/// Gives a table in blocks of a few rows.
class SmallBlocks : public TableSource {
 public:
  SmallBlocks(const Table& table, std::size_t block) : table_(table), block_(block) {}

  std::optional<Table> next() override {
    if (at_ == table_.rows()) return {};
    const std::size_t begin = std::exchange(at_, std::min(at_ + block_, table_.rows()));
    return table_.slice(begin, at_);
  }
  const std::string& name() const override { return table_.source(); }
  std::optional<std::size_t> rows() const override { return {}; }
  std::optional<double> share() const override { return {}; }

 private:
  const Table& table_;
  std::size_t block_, at_ = 0;
};

TEST(Report, ComparesTwoModelsOnTheSameRows) {
  Options poor = toy::options();
  poor.epochs = 1;
  poor.networks = 1;
  poor.forest = 0;
  poor.gaussian_process = 0;
  Roles fewer = toy::roles();
  fewer.ignore = {"a"};
  const Model other = fit(toy::table(400), fewer, poor);
  const Table table = toy::table(300, 9);
  SmallBlocks one(table, 50), two(table, 50), three(table, 50);
  ReportOptions options = quick();
  options.other_name = "poor.mirrorball";
  const Report report = make_report(model(), other, one, options);
  const Json json = Json::parse(report.json), second = json["other"]["targets"][0];
  EXPECT_LT(second["paired"]["difference"][2], 0) << "the first is better for sure";
  EXPECT_NEAR(
      second["paired"]["difference"][0],
      json["targets"][0]["scores"]["crps"][0].get<double>() - second["scores"]["crps"][0].get<double>(),
      1e-3);
  EXPECT_EQ(second["slices"].size(), json["targets"][0]["slices"].size());
  EXPECT_TRUE(report.comparison[0].starts_with("toy.mirrorball predicts y better: ")) << report.comparison[0];
  const Compared compared = compare(model(), other, two, options),
                 same = compare(model(), model(), three, options);
  EXPECT_EQ(Json::parse(compared.json)["targets"]["y"]["words"], report.comparison[0]);
  EXPECT_NE(same.text.find("about equally well"), std::string::npos) << same.text;
}

TEST(Report, LargeTablesAreSampled) {
  ReportOptions options = quick();
  options.rows = 60;
  const Json json = Json::parse(make_report(model(), toy::table(200, 9), options).json);
  EXPECT_EQ(json["data"]["rows"], 200);
  EXPECT_EQ(json["data"]["used"], 60);
}

TEST(Report, BlocksGiveTheSameBytesAsTheWholeTable) {
  int count = 0;  // outcomes begin late, so that rows without one are kept at first
  const Table table = changed(300, "y", [&](double y) { return ++count <= 50 ? NAN : y; });
  for (const std::size_t most : {1000, 60}) {
    ReportOptions options = quick();
    options.rows = most;
    SmallBlocks blocks(table, 37);
    const std::string whole = make_report(model(), table, options).json;
    EXPECT_EQ(make_report(model(), blocks, options).json, whole) << most;
    EXPECT_EQ(Json::parse(whole)["data"]["used"], most == 60 ? 60 : 250);
  }
}

TEST(Report, ATableThatDoesNotFitIsRefused) {
  Table table;
  table.add_numbers("a", std::vector<double>{1, 2});
  EXPECT_THROW(make_report(model(), table, quick()), std::invalid_argument);
  EXPECT_THROW(make_report(model(), toy::table(0), quick()), std::invalid_argument);
}

TEST(Report, OneRowShowsNoBias) {
  const Report report = make_report(model(), toy::table(1), quick());
  EXPECT_TRUE(report.summary[0].starts_with("On this row the mean absolute error")) << report.summary[0];
  EXPECT_FALSE(warns(report, "on average"));
}

TEST(Report, TooFewDrawsForAnIntervalAreRefused) {
  ReportOptions options = quick();
  options.samples = 19;
  EXPECT_THROW(make_report(model(), toy::table(10), options), std::invalid_argument);
  options.samples = 20;
  EXPECT_NO_THROW(make_report(model(), toy::table(10), options));
}

/// One pass over the draws gives what `explain` gives for the mean and the deviation of each target.
TEST(Report, DriversAreMeanShapleyValues) {
  const Table table = toy::table(40, 9);
  DriverOptions options;
  options.rows = 6;
  options.background = 12;
  options.predict = {.samples = 100, .seed = 5};
  const Drivers found = drivers(model(), table, options);
  ASSERT_EQ(found.rows, 6u);
  const std::vector<std::size_t> rows = picked_rows(40, 6, 5, Pick::kExplained);
  for (std::size_t t = 0; t < 2; ++t)
    for (const char* of : {"mean", "sd"}) {
      ExplainOptions ask;
      ask.of = Functional::parse(of);
      ask.target = model().targets()[t];
      ask.predict = options.predict;
      ask.background_rows = 12;
      const Explanation slow = explain(model(), table, rows, table, ask);
      for (std::size_t f = 0; f < found.features; ++f) {
        double size = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) size += std::fabs(slow.value(i, f)) / 6;
        const Drivers::Effect& fast = std::string(of) == "mean" ? found.of_mean(t, f) : found.of_spread(t, f);
        EXPECT_NEAR(fast.size, size, 1e-6 + 1e-4 * size) << of << " " << t << " " << f;
        EXPECT_GT(fast.error, 0) << of << " " << t << " " << f;
        EXPECT_LT(fast.error, size) << of << " " << t << " " << f;
      }
    }
  EXPECT_GT(found.of_mean(0, 0).direction, 0.8) << "y grows with a";
}

TEST(Report, CellsCannotEndTheScript) {
  Report report;
  report.json = R"({"title":"</script><script>alert(1)</script>"})";
  try {
    const std::string page = report_html(report);
    EXPECT_EQ(page.find("<script>alert"), page.npos);
    EXPECT_NE(page.find("\\u003c/script>"), page.npos);
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("without its web pages"), std::string::npos);
  }
}

}  // namespace
}  // namespace mirrorball::report
