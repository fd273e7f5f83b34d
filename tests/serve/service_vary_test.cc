#include "answers.h"

namespace mirrorball::serve {
namespace {

using toy::service;

TEST(Service, FunctionsFollowOneFeature) {
  const Json answer = Json::parse(service().functions(
      R"({"row": {"b": 1, "kind": "left"}, "vary": "a", "from": -1, "to": 1, "points": 5, "count": 4, "seed": 3})"));
  ASSERT_EQ(answer["values"], Json({-1, -0.5, 0, 0.5, 1}));
  PredictOptions options{4, 3};
  options.calibrated = false;
  for (std::size_t point = 0; point < 5; ++point) {
    const Predictive draws = direct(answer["values"][point], 1, "left", options);
    for (std::size_t i = 0; i < 4; ++i)
      expect_same(answer["functions"]["z"][i][point], draws.row_samples(0, 1)[i]);
  }
  expect_refused([] { service().functions(R"({"row": {}, "vary": "kind"})"); }, 400, "vary", "category");
  expect_refused([] { service().functions(R"({"row": {}, "vary": "aa"})"); }, 400, "vary");
  expect_refused([] { service().functions(R"({"row": {}})"); }, 400, "vary");
  // Without ends, over the training range.
  const Json whole = Json::parse(service().functions(R"({"row": {}, "vary": "a"})"))["values"];
  const Json known = Json::parse(service().model_json())["features"][0];
  ASSERT_EQ(whole.size(), 60u);
  EXPECT_EQ(known["name"], "a");
  expect_same(whole.front(), known["low"]);
  expect_same(whole.back(), known["high"]);
}

TEST(Service, AlongAFeatureAreTheQuantilesOfItsRows) {
  const std::string row = R"("row": {"a": 0.25, "b": 1, "kind": "left"}, "samples": 200)";
  const Json fan = Json::parse(
      service().along("{" + row + R"(, "vary": "a", "values": [-1, 0.25], "levels": [0.05, 0.95]})"));
  EXPECT_EQ(fan["values"], Json({-1, 0.25}));
  EXPECT_FALSE(fan.contains("nearby"));  // nobody said where rows are
  // The fan at the row's own value is its forecast.
  const Json here = Json::parse(service().quantiles("{" + row + R"(, "levels": [0.05, 0.95]})"));
  EXPECT_EQ(fan["quantiles"]["y"][1], here["quantiles"][0]["y"]);
  EXPECT_EQ(fan["quantiles"]["z"][1], here["quantiles"][0]["z"]);

  const Json kinds = Json::parse(service().along("{" + row + R"(, "vary": "kind"})"));
  EXPECT_EQ(kinds["values"], Json::parse(service().model_json())["features"][2]["categories"]);
  EXPECT_EQ(kinds["quantiles"]["y"][0].size(), 5u);
  EXPECT_EQ(Json::parse(service().along("{" + row +
                                        R"(, "vary": "kind", "values": ["left", null, "new"]})"))["values"],
            Json({"left", nullptr, "new"}));
  EXPECT_EQ(Json::parse(service().along("{" + row + R"(, "vary": "a"})"))["values"].size(), 40u);

  expect_refused([] { service().along(R"({"row": {}, "vary": "aa"})"); }, 400, "vary");
  expect_refused([] { service().along(R"({"row": {}, "vary": "a", "values": []})"); }, 400, "values",
                 "a list of 0");
  expect_refused([] { service().along(R"({"row": {}, "vary": "a", "values": [1, "x"]})"); }, 400, "values",
                 "rows[1].a");
  expect_refused([] { service().along(R"({"row": {"a": "x"}, "vary": "a"})"); }, 400, "row.a");
  expect_refused([] { service().along(R"({"row": {}, "vary": "a", "samples": 100000, "points": 1000})"); },
                 413, "samples");
}

TEST(Service, WhatMostRowsLackIsMissingInTheTypicalOne) {
  Table rows;
  rows.add_numbers("a", std::vector<double>(10, 0.5));
  rows.add_numbers("b", std::vector<double>(10, 0.5));
  rows.add_categories("kind",
                      std::vector<std::string>{"", "left", "", "right", "", "left", "", "", "right", ""});
  Metrics metrics;
  const Service lacking(toy::quick_model(), "toy", std::move(rows), {}, 1, metrics);
  EXPECT_EQ(Json::parse(lacking.model_json())["features"][2]["typical"], nullptr);
  EXPECT_TRUE(Json::parse(WithBackground().service.model_json())["features"][2]["typical"].is_string());
}

TEST(Service, BackgroundRowsAreGivenAndShown) {
  WithBackground with;
  const Json model = Json::parse(with.service.model_json());
  EXPECT_EQ(model["background"], "given");
  EXPECT_EQ(model["background_rows"], 300);
  const Table table = toy::table(300);
  const Json row = Json::parse(with.service.row("17"));
  EXPECT_EQ(row["number"], 17);
  expect_same(row["row"]["a"], table.number(17, table.column("a")));
  expect_same(row["outcome"]["y"], table.number(17, table.column("y")));
  ASSERT_EQ(row["row"].size(), 3u);
  EXPECT_EQ(with.service.sample(Json{{"row", row["row"]}}.dump()).empty(), false);  // it is a row to ask for
  expect_refused([&] { with.service.row("300"); }, 400, "number", "0 to 299");
  expect_refused([&] { with.service.row(""); }, 400, "number");
  expect_refused([&] { with.service.row("-1"); }, 400, "number");
  expect_refused([] { service().row("0"); }, 404, "", "--background");

  const Json fan =
      Json::parse(with.service.along(R"({"row": {"b": 1, "kind": "left"}, "vary": "a", "points": 8})"));
  EXPECT_EQ(fan["nearby"].size(), 8u);
  EXPECT_EQ(fan["apart"].size(), 8u);
  EXPECT_GT(fan["rug"].size(), 100u);
  EXPECT_EQ(with.service.id(), service().id());  // the same model, whatever is beside it
  EXPECT_EQ(model["id"], with.service.id());
}

// Half a column of zeros and amounts is not one of whole numbers; counts are, however many of them are 0.
TEST(Service, WholeNumbersAreToldByOtherThanTheirMostFrequentValue) {
  Table table;
  std::vector<double> tolls(400), counts(400), halves(400), y(400);
  for (std::size_t i = 0; i < y.size(); ++i) {
    tolls[i] = i % 20 == 0 ? (i % 40 == 0 ? 5.76 : 6.12) : 0;
    counts[i] = i % 10 == 0 ? static_cast<double>(i % 7) : 0;
    halves[i] = 0.5 * static_cast<double>(i % 30);
    y[i] = static_cast<double>(i % 13);
  }
  table.add_numbers("tolls", tolls);
  table.add_numbers("counts", counts);
  table.add_numbers("halves", halves);
  table.add_numbers("y", y);
  Options quick = toy::options();
  quick.epochs = 1;
  Metrics metrics;
  Service numbers(fit(std::move(table), {{"y"}, "", {}}, quick), "numbers", std::nullopt, {}, 1, metrics);
  const Json features = Json::parse(numbers.model_json())["features"];
  EXPECT_EQ(features[0]["whole"], false);
  EXPECT_EQ(features[1]["whole"], true);
  EXPECT_EQ(features[2]["whole"], false);
  EXPECT_EQ(features[0]["decimals"], 2);
  EXPECT_EQ(features[1]["decimals"], 0);
  EXPECT_EQ(features[2]["decimals"], 1);
}

}  // namespace
}  // namespace mirrorball::serve
