#include <fmt/format.h>

#include "answers.h"

namespace mirrorball::serve {
namespace {

using toy::service;

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

}  // namespace
}  // namespace mirrorball::serve
