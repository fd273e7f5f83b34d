#include "serve/service.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "answers.h"

namespace mirrorball::serve {
namespace {

using toy::service;

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
