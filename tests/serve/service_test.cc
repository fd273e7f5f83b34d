#include "serve/service.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "serve/api_error.h"
#include "toy_service.h"

namespace mirrorball::serve {
namespace {

using toy::service;

/// What the model itself says of a row with these cells.
Predictive direct(double a, double b, const std::string& kind, PredictOptions options) {
  Table table;
  table.add_numbers("a", std::vector<double>{a});
  table.add_numbers("b", std::vector<double>{b});
  table.add_categories("kind", std::vector<std::string>{kind});
  options.threads = 1;
  return service().model().predict(table, options);
}

/// The answer's numbers have 7 digits or a few more.
void expect_same(double answered, double exact) {
  EXPECT_NEAR(answered, exact, 1e-6 * std::fabs(exact) + 1e-12);
}

void expect_refused(const std::function<void()>& ask, int status, const std::string& field,
                    const std::string& part = "") {
  try {
    ask();
    ADD_FAILURE() << "was not refused";
  } catch (const ApiError& error) {
    EXPECT_EQ(error.status, status) << error.what();
    EXPECT_EQ(error.field, field) << error.what();
    EXPECT_NE((error.what() + error.hint).find(part), std::string::npos)
        << error.what() << " / " << error.hint;
    const Json answer = Json::parse(error.json());
    EXPECT_EQ(answer["error"]["status"], status);
    EXPECT_EQ(answer["error"]["reason"], error.what());
  }
}

TEST(Service, PredictsWhatTheModelDoes) {
  const Json answer = Json::parse(service().predict(
      R"({"row": {"a": 0.5, "b": -1, "kind": "left"}, "samples": 300, "seed": 5, "coverage": 0.8})"));
  const Predictive draws = direct(0.5, -1, "left", {300, 5});
  ASSERT_EQ(answer["predictions"].size(), 1u);
  EXPECT_EQ(answer["samples"], 300);
  for (std::size_t t = 0; t < 2; ++t) {
    const Json& one = answer["predictions"][0][draws.target_names()[t]];
    expect_same(one["mean"], draws.mean(0, t));
    expect_same(one["sd"], draws.sd(0, t));
    expect_same(one["median"], draws.quantile(0.5, 0, t));
    expect_same(one["interval"][0], draws.interval(0.8, 0, t).first);
    expect_same(one["interval"][1], draws.interval(0.8, 0, t).second);
  }
}

TEST(Service, UncertaintyIsThatOfTheModel) {
  const std::string row = R"("row": {"a": 0.5, "b": -1, "kind": "left"}, "samples": 300)";
  const Json answer = Json::parse(service().predict("{" + row + R"(, "uncertainty": true})"));
  const Predictive draws = direct(0.5, -1, "left", {300, 0});
  for (std::size_t t = 0; t < 2; ++t) {
    const Json& one = answer["predictions"][0][draws.target_names()[t]]["uncertainty"];
    const Uncertainty expected = draws.uncertainty(0, t);
    const std::pair<const char*, UncertaintyParts> measures[] = {{"variance", expected.variance},
                                                                 {"expected_crps", expected.expected_crps}};
    for (const auto& [name, parts] : measures) {
      expect_same(one[name]["total"], parts.total);
      expect_same(one[name]["aleatoric"], parts.aleatoric);
      expect_same(one[name]["epistemic"], parts.epistemic);
    }
  }
  const Json plain = Json::parse(service().predict("{" + row + R"(, "uncertainty": false})"));
  EXPECT_FALSE(plain["predictions"][0]["y"].contains("uncertainty"));
  expect_refused([&] { service().predict("{" + row + R"(, "uncertainty": 1})"); }, 400, "uncertainty",
                 "true or false");
}

TEST(Service, SamplesAndQuantilesAreThoseOfTheModel) {
  const std::string row = R"("row": {"a": 1, "b": 2, "kind": "right"}, "samples": 50)";
  const Predictive draws = direct(1, 2, "right", {50, 0});
  const Json sample = Json::parse(service().sample("{" + row + "}"));
  ASSERT_EQ(sample["draws"][0]["z"].size(), 50u);
  for (std::size_t i = 0; i < 50; ++i) expect_same(sample["draws"][0]["z"][i], draws.row_samples(0, 1)[i]);
  const Json quantiles = Json::parse(service().quantiles("{" + row + R"(, "levels": [0.9, 0, 1]})"));
  const std::vector<double> levels = {0.9, 0, 1}, expected = draws.quantiles(levels, 0, 0);
  for (std::size_t i = 0; i < 3; ++i) expect_same(quantiles["quantiles"][0]["y"][i], expected[i]);
}

TEST(Service, RowsStandForThemselves) {
  const std::string one = R"({"a": 1, "b": 2, "kind": "right"})", other = R"({"kind": "left", "a": -1})";
  const Json both = Json::parse(service().sample(R"({"samples": 20, "rows": [)" + one + "," + other + "]}"));
  for (std::size_t i = 0; i < 2; ++i) {
    const Json alone =
        Json::parse(service().sample(R"({"samples": 20, "row": )" + (i == 0 ? one : other) + "}"));
    EXPECT_EQ(both["draws"][i], alone["draws"][0]);
  }
}

TEST(Service, MissingAndNullAreGapsAndTargetsArePassedOver) {
  const std::string answer = service().predict(R"({"row": {"a": 1, "b": null, "kind": null}})");
  EXPECT_EQ(service().predict(R"({"row": {"a": 1}})"), answer);
  EXPECT_EQ(service().predict(R"({"row": {"a": 1, "y": 5, "z": "whatever"}})"), answer);
  expect_same(Json::parse(answer)["predictions"][0]["y"]["mean"], direct(1, NAN, "", {1000}).mean(0));
  const Json unknown = Json::parse(service().predict(R"({"row": {"a": 1, "b": 0, "kind": "never seen"}})"));
  expect_same(unknown["predictions"][0]["y"]["mean"], direct(1, 0, "never seen", {1000}).mean(0));
}

/// Ten years of days, the first 2014-01-07.
Model dated_model() {
  Table table;
  std::vector<double> day(200), y(200);
  for (std::size_t i = 0; i < day.size(); ++i) {
    day[i] = 86400.0 * static_cast<double>(16077 + 18 * i);
    y[i] = static_cast<double>(i % 9);
  }
  table.add_numbers("day", day);
  table.add_numbers("y", y);
  table.set_dates(0);
  Options quick = toy::options();
  quick.epochs = 1;
  return fit(std::move(table), {{"y"}, "", {}}, quick);
}

TEST(Service, DatesMayComeAsText) {
  Metrics metrics;
  Service dated(dated_model(), "dated", std::nullopt, {}, 1, metrics);
  const Json about = Json::parse(dated.model_json())["features"][0];
  EXPECT_EQ(about["dates"], true);
  EXPECT_EQ(about["low"], 1389052800);
  EXPECT_EQ(dated.sample(R"({"row": {"day": "2022-02-08"}})"),
            dated.sample(R"({"row": {"day": 1644278400}})"));
  EXPECT_EQ(dated.sample(R"({"row": {"day": " NA "}})"), dated.sample(R"({"row": {"day": null}})"));
  expect_refused([&] { dated.sample(R"({"row": {"day": "8.2.2022"}})"); }, 400, "row.day", "2024-02-29");
  const Json why = Json::parse(dated.explain(R"({"row": {"day": "2022-02-08T06:30"}, "samples": 20})"));
  EXPECT_EQ(why["features"][0]["cell"], "2022-02-08 06:30");
  const std::string along = dated.functions(
      R"({"row": {}, "vary": "day", "from": "2022-02-08", "to": 1644364800, "points": 2, "count": 1})");
  EXPECT_EQ(Json::parse(along)["values"], (Json{1644278400, 1644364800}));
  expect_refused([&] { dated.functions(R"({"row": {}, "vary": "day", "from": "soon"})"); }, 400, "from",
                 "date");
}

TEST(Service, RefusesBadRequestsByTheirField) {
  const auto predict = [](const std::string& body) { return [body] { service().predict(body); }; };
  expect_refused(predict("nonsense"), 400, "", "JSON");
  expect_refused(predict(""), 400, "", "JSON");
  expect_refused(predict("[1, 2]"), 400, "", "a list of 2");
  expect_refused(predict("{}"), 400, "row", "rows");
  expect_refused(predict(R"({"row": {"a": 1}, "rows": []})"), 400, "rows");
  expect_refused(predict(R"({"rows": []})"), 400, "rows", "a list of 0");
  expect_refused(predict(R"({"row": 7})"), 400, "row", "row is 7");
  expect_refused(predict(R"({"rows": [{"a": 1}, 3]})"), 400, "rows[1]");
  expect_refused(predict(R"({"row": {"a": "1"}})"), 400, "row.a", "without quotes");
  expect_refused(predict(R"({"row": {"a": true}})"), 400, "row.a");
  expect_refused(predict(R"({"row": {"a": 1e300}})"), 400, "row.a", "3.4e38");
  expect_refused(predict(R"({"row": {"a": 1e999}})"), 400, "");
  expect_refused(predict(R"({"row": {"kind": ["left"]}})"), 400, "row.kind", "a list of 1");
  expect_refused(predict(R"({"row": {"knid": "left"}})"), 400, "row.knid", "did you mean 'kind'");
  expect_refused(predict(R"({"row": {"a": 1}, "sampels": 3})"), 400, "sampels", "samples");
  expect_refused(predict(R"({"row": {"a": 1}, "samples": 0})"), 400, "samples", "from 1");
  expect_refused(predict(R"({"row": {"a": 1}, "samples": -4})"), 400, "samples");
  expect_refused(predict(R"({"row": {"a": 1}, "samples": 1.5})"), 400, "samples");
  expect_refused(predict(R"({"row": {"a": 1}, "samples": 99999999999999999999})"), 400, "samples");
  expect_refused(predict(R"({"row": {"a": 1}, "seed": -1})"), 400, "seed");
  expect_refused(predict(R"({"row": {"a": 1}, "coverage": 1})"), 400, "coverage");
  expect_refused([] { service().quantiles(R"({"row": {"a": 1}, "levels": [0.5, 2]})"); }, 400, "levels[1]");
  expect_refused([] { service().quantiles(R"({"row": {"a": 1}, "levels": []})"); }, 400, "levels");
  expect_refused(predict(std::string(100000, '[')), 400, "", "nested");
  expect_refused(predict(R"({"row": {"a": [[[[[1]]]]]}})"), 400, "", "nested");
  std::string many = R"({"rows": [{})";
  for (int i = 0; i < 2'000'000; ++i) many += ",{}";
  expect_refused(predict(many + "]}"), 413, "", "more than 2000000");
  expect_refused(predict(R"({"row": {"[[[[[[\"[[": 1}})"), 400, "row.[[[[[[\"[[");  // these are text
}

TEST(Service, LimitsRowsAndDraws) {
  ServiceLimits small;
  small.rows = 3;
  small.draws = 1000;
  small.answer = 100;
  small.csv_rows = 2;
  toy::ServiceUnderTest limited(small);
  Service& here = limited.service;
  expect_refused([&] { here.predict(R"({"rows": [{}, {}, {}, {}]})"); }, 413, "rows", "1 to 3");
  expect_refused([&] { here.predict(R"({"row": {}, "samples": 501})"); }, 413, "samples", "1000");
  expect_refused([&] { here.sample(R"({"row": {}, "samples": 51})"); }, 413, "samples", "100");
  EXPECT_NO_THROW(here.sample(R"({"row": {}, "samples": 50})"));
  expect_refused([&] { here.predict_csv("a,b,kind\n1,1,left\n1,1,left\n1,1,left\n", {}, 0); }, 413, "",
                 "3 rows");
}

// A table of summaries takes 1000 draws a row, whatever it shows of them.
TEST(Service, DrawsBehindATableAreCounted) {
  ServiceLimits small;
  small.csv_draws = 5000;
  toy::ServiceUnderTest limited(small);
  Service& here = limited.service;
  const std::string two = "a,b,kind\n1,1,left\n2,1,right\n", three = two + "3,1,left\n";
  EXPECT_NO_THROW(here.predict_csv(two, {}, 0));  // 2 rows x 1000 draws x 2 targets
  EXPECT_NE(limited.metrics.text(0).find("mirrorball_draws_total 2000\n"), std::string::npos);
  expect_refused([&] { here.predict_csv(three, {}, 0); }, 413, "samples",
                 "3 rows x 1000 samples x 2 targets");
  model::PredictionForm form;
  form.samples = 10;
  EXPECT_NO_THROW(here.predict_csv(three, form, 0));
  EXPECT_NE(limited.metrics.text(0).find("mirrorball_draws_total 2030\n"), std::string::npos);
}

// While a request has the only place at a gate, the next is refused before its body is looked at.
TEST(Service, BodiesAreReadAtTheGates) {
  ServiceLimits small;
  small.waiting = small.heavy_waiting = 0;
  toy::ServiceUnderTest limited(small);
  Service& here = limited.service;
  int asked = 0;
  const auto gone = [&] {
    if (asked++ == 0) {  // at the light gate, before the body is read
      expect_refused([&] { here.predict("nonsense"); }, 503, "");
      expect_refused([&] { here.sample("nonsense"); }, 503, "");
      expect_refused([&] { here.quantiles("nonsense"); }, 503, "");
      expect_refused([&] { here.functions("nonsense"); }, 503, "");
      expect_refused([&] { here.along("nonsense"); }, 503, "");
      expect_refused([&] { here.explain("nonsense"); }, 503, "");
    } else {
      expect_refused([&] { here.predict("nonsense"); }, 400, "");  // there is room for light ones
      expect_refused([&] { here.predict_csv("nonsense", {}, 0); }, 503, "");
    }
    return false;
  };
  here.explain(R"({"row": {"a": 1}, "of": "mean", "target": "y", "samples": 20})", gone);
  EXPECT_GE(asked, 2);
  expect_refused([&] { here.predict_csv("nonsense", {}, 0); }, 400, "");
}

// Twice the list, twice the time: 300,000 items were half a minute where every item looked through the list.
TEST(Service, LongListsAreReadInTime) {
  std::string body = R"({"rows": [{})";
  for (int i = 1; i < 300'000; ++i) body += ",{}";
  const auto began = std::chrono::steady_clock::now();
  expect_refused([&] { service().predict(body + "]}"); }, 413, "rows", "300000");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

TEST(Service, ExplanationsAddUp) {
  for (
      const std::string body :
      {R"({"row": {"a": 1, "b": 0, "kind": "left"}, "of": "mean", "target": "y", "samples": 64})",
       R"({"row": {"a": 1, "b": 0, "kind": "left"}, "of": "sd", "target": "z", "samples": 64})",
       R"({"row": {"a": 1, "b": 0, "kind": "left"}, "of": "region", "where": "y > -2 and z < 200", "samples": 64})"}) {
    const Json answer = Json::parse(service().explain(body));
    double sum = answer["base"];
    for (const Json& feature : answer["features"]) sum += feature["value"].get<double>();
    EXPECT_NEAR(sum, answer["output"].get<double>(), 1e-4 * (1 + std::fabs(sum))) << body;
    ASSERT_EQ(answer["features"].size(), 3u);
    EXPECT_EQ(answer["features"][2]["name"], "kind");
    EXPECT_EQ(answer["features"][2]["cell"], "left");
    EXPECT_TRUE(answer["exact"]);
  }
}

/// The toy table itself as the background, with its targets.
struct WithBackground {
  WithBackground() : service(toy::quick_model(), "toy", toy::table(300), {}, 1, metrics) {}
  Metrics metrics;
  Service service;
};

// y is of a and kind, z of b: who begins with the feature that matters sees it at once.
TEST(Service, FeaturesSayHowMuchTheyMoveEachTarget) {
  const WithBackground with;
  for (const Service* one : {&std::as_const(with.service), &std::as_const(service())}) {
    const Json features = Json::parse(one->model_json())["features"];
    const auto effect = [&](std::size_t feature, std::size_t target) {
      return features[feature]["effects"][target].get<double>();
    };
    EXPECT_GT(effect(2, 0), 2 * effect(1, 0)) << features;  // of y, kind moves more than b
    EXPECT_GT(effect(0, 0), effect(1, 0)) << features;
    EXPECT_GT(effect(1, 1), 2 * effect(0, 1)) << features;  // of z, b more than a
    EXPECT_GT(effect(1, 1), 2 * effect(2, 1)) << features;
  }
}

// What was asked before, or given up, makes an answer faster and does not change it.
TEST(Service, RefinedExplanationsAreThoseOfTheirNumberOfRows) {
  WithBackground one, other;
  const auto explain = [](WithBackground& with, int rows, const ClientGone& gone = {}) {
    return with.service.explain(
        fmt::format(
            R"({{"row": {{"a": 1, "b": 0, "kind": "left"}}, "target": "y", "samples": 64, "background_rows": {}}})",
            rows),
        gone);
  };
  const std::string few = explain(one, 8), more = explain(one, 40), all = explain(one, 200);
  EXPECT_EQ(Json::parse(more)["background_rows"], 40);
  EXPECT_EQ(Json::parse(few)["base"], Json::parse(all)["base"]);  // of all background rows, at once
  int asked = 0;
  expect_refused([&] { explain(other, 40, [&] { return ++asked > 4; }); }, 499, "");
  EXPECT_EQ(explain(other, 40), more);
  EXPECT_EQ(explain(other, 8), few);
  EXPECT_EQ(explain(other, 200), all);
  EXPECT_EQ(Json::parse(explain(other, 250))["background_rows"], 250);
  const Json parsed = Json::parse(all);
  for (const Json& feature : parsed["features"]) EXPECT_GE(feature["error"].get<double>(), 0);
}

// Twelve features, whose 4096 sets were once too many.
TEST(Service, ExplainsManyFeaturesByDefault) {
  Table table;
  std::vector<double> y(200);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i % 13);
  for (std::size_t f = 0; f < 12; ++f) {
    std::vector<double> x(y.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>((i * (f + 3)) % 17);
    table.add_numbers(fmt::format("x{}", f), x);
  }
  table.add_numbers("y", y);
  Options quick = toy::options();
  quick.epochs = 1;
  Metrics metrics;
  Service wide(fit(std::move(table), {{"y"}, "", {}}, quick), "wide", std::nullopt, {}, 1, metrics);
  EXPECT_EQ(Json::parse(wide.explain(R"({"row": {"x0": 1}})"))["features"].size(), 12u);
}

TEST(Service, RefusesBadExplanations) {
  const auto explain = [](const std::string& more) {
    return [more] { service().explain(R"({"row": {"a": 1}, "samples": 20, )" + more + "}"); };
  };
  expect_refused(explain(R"("of": "men")"), 400, "of");
  expect_refused(explain(R"("of": "mean")"), 400, "target", "2 targets");
  expect_refused(explain(R"("of": "mean", "target": "x")"), 400, "target");
  expect_refused(explain(R"("of": "region", "where": "q > 1")"), 400, "where", "q");
  expect_refused(explain(R"("of": "mean", "target": "y", "where": "y > 1e30")"), 400, "where", "none of its");
  expect_refused(explain(R"("of": "region")"), 400, "where", "region");
  ServiceLimits small;
  small.explained = 1000;
  toy::ServiceUnderTest limited(small);
  expect_refused([&] { limited.service.explain(R"({"row": {}, "of": "mean", "target": "y"})"); }, 413,
                 "samples", "1000");
}

TEST(Service, GivesUpWhenTheClientIsGone) {
  expect_refused(
      [] { service().explain(R"({"row": {"a": 1}, "of": "mean", "target": "y"})", [] { return true; }); },
      499, "");
}

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
}

TEST(Service, TablesComeBackAsTables) {
  model::PredictionForm form;
  form.intervals = {0.5};
  const std::string csv = service().predict_csv("kind,extra,a,b\nleft,x,1,2\nright,\"y,z\",3,\n", form, 7);
  EXPECT_TRUE(csv.starts_with("y_lower_50,y_upper_50,z_lower_50,z_upper_50\n")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  const auto [low, high] = direct(1, 2, "left", {1000, 7}).interval(0.5, 0);
  std::istringstream in(csv.substr(csv.find('\n') + 1));
  double number = 0;
  char comma = 0;
  in >> number >> comma;
  EXPECT_NEAR(number, low, 1e-5 * std::fabs(low));
  in >> number;
  EXPECT_NEAR(number, high, 1e-5 * std::fabs(high));

  form.mean = true;
  form.keep = {"extra", "a"};
  const std::string kept = service().predict_csv("kind|extra|a|b\nleft|x, y|1.0|2\n", form, 7);
  EXPECT_TRUE(
      kept.starts_with("extra,a,y_mean,y_lower_50,y_upper_50,z_mean,z_lower_50,z_upper_50\n\"x, y\",1.0,"))
      << kept;

  model::PredictionForm parts;
  parts.uncertainty = true;
  const std::string split = service().predict_csv("a,b,kind\n1,2,left\n", parts, 7);
  EXPECT_TRUE(split.starts_with("y_variance,y_variance_aleatoric,y_variance_epistemic,y_expected_crps,"))
      << split;

  const auto refused = [](const std::string& text, int status, const std::string& part) {
    expect_refused([&] { service().predict_csv(text, {}, 0); }, status, "", part);
  };
  refused("", 400, "");
  refused("a,b\n1,2\n", 400, "kind");
  refused("a,b,kind\nx,2,left\n", 400, "table:2");
  refused("a,b,kind\n1,2\n", 400, "table:2");
  refused("\x1f\x8b\x08rubbish", 415, "gzip");
  form.intervals = {2};
  expect_refused([&] { service().predict_csv("a,b,kind\n1,2,left\n", form, 0); }, 400, "quantiles",
                 "interval 2");
}

TEST(Service, DescribesModelAndApi) {
  const Json model = Json::parse(service().model_json());
  EXPECT_EQ(model["name"], "toy");
  ASSERT_EQ(model["targets"].size(), 2u);
  ASSERT_EQ(model["features"].size(), 3u);
  EXPECT_EQ(model["targets"][0]["limits"], Json({model["targets"][0]["low"], model["targets"][0]["high"]}));
  const Json& a = model["features"][0];
  EXPECT_EQ(a["type"], "number");
  ASSERT_EQ(a["quantiles"].size(), model["levels"].size());
  EXPECT_EQ(a["quantiles"].front(), a["low"]);
  EXPECT_EQ(a["quantiles"].back(), a["high"]);
  EXPECT_TRUE(std::is_sorted(a["quantiles"].begin(), a["quantiles"].end()));
  EXPECT_FALSE(a["missing"]);
  EXPECT_TRUE(model["features"][1]["missing"]);
  EXPECT_EQ(model["features"][1]["gaps"], model["features"][1]["missing"]);
  EXPECT_EQ(model["features"][2]["categories"].size(), 2u);
  EXPECT_EQ(model["features"][2]["levels"], model["features"][2]["categories"]);
  EXPECT_EQ(model["background"], "made");

  const Json api = Json::parse(service().openapi_json());
  EXPECT_EQ(api["openapi"], "3.1.0");
  for (const char* path : {"/v1/model", "/v1/predict", "/v1/sample", "/v1/quantiles", "/v1/explain",
                           "/v1/along", "/v1/functions", "/v1/row", "/healthz", "/metrics"})
    EXPECT_TRUE(api["paths"].contains(path)) << path;
  EXPECT_TRUE(api["components"]["schemas"]["Row"]["properties"].contains("kind"));
}

// Bodies that are nearly right, or nothing at all: an answer or an ApiError of 4xx, never anything else.
TEST(Service, SurvivesAnyBody) {
  const std::vector<std::string> seeds = {
      R"({"row": {"a": 1.5, "b": null, "kind": "left"}, "samples": 3, "seed": 1, "coverage": 0.5})",
      R"({"rows": [{"a": 1}, {"kind": "right", "y": 2}], "samples": 2, "levels": [0.1, 0.9]})",
      R"({"row": {"a": 1}, "of": "region", "where": "\"y\" > 0 and z <= 3", "samples": 2, "background_rows": 1})",
      R"({"row": {"b": 1}, "vary": "a", "from": -1, "to": 2, "points": 2, "count": 1})",
      "a,b,kind\n1,2,left\n\"3\",,right\n"};
  const std::vector<std::string> pieces = {
      "{",       "}",    "[",     "]",      "\"",      ",",    ":",
      "null",    "true", "1e308", "-0",     "\\u0000", "\xff", "\xed\xa0\x80",
      "samples", "rows", "nan",   "1e-400", "\n",      ";",    "and"};
  Stream random(11, Purpose::kTest);
  const auto below = [&](std::size_t most) { return random.below(static_cast<std::uint32_t>(most)); };
  int answered = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string body = seeds[below(seeds.size())];
    for (std::uint32_t edits = below(4); edits > 0 && !body.empty(); --edits) {
      const std::size_t at = below(body.size());
      switch (below(4)) {
        case 0:
          body.erase(at, 1 + below(8));
          break;
        case 1:
          body.insert(at, pieces[below(pieces.size())]);
          break;
        case 2:
          body[at] = static_cast<char>(below(256));
          break;
        default:
          body.insert(at, body.substr(below(body.size()), below(20)));
      }
    }
    Service& here = service();
    const std::vector<std::function<std::string()>> calls = {
        [&] { return here.predict(body); },   [&] { return here.sample(body); },
        [&] { return here.quantiles(body); }, [&] { return here.functions(body); },
        [&] { return here.explain(body); },   [&] { return here.predict_csv(body, {}, 0); },
        [&] { return here.along(body); },     [&] { return here.row(body); }};
    try {
      const std::string answer = calls[below(calls.size())]();
      answered += answer.empty() ? 0 : 1;
    } catch (const ApiError& error) {
      EXPECT_GE(error.status, 400);
      EXPECT_LT(error.status, 500) << error.what();
      EXPECT_TRUE(Json::accept(error.json())) << error.json();
      ++refused;
    }
  }
  EXPECT_GT(answered, 50);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace mirrorball::serve
