#include <algorithm>
#include <cmath>
#include <numeric>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliExplain : public CliTest {
 protected:
  /// Targets y and w; features a, b (with gaps) and color.
  CliExplain() { make_model({}, {"--target", "w"}); }

  Words words(const Words& more, const std::string& data = "data.csv") const {
    Words all = {"explain", "model", data};
    all.insert(all.end(), more.begin(), more.end());
    for (const Words& pair : {Words{"--samples", "60"}, Words{"--background-rows", "8"}})
      if (std::find(more.begin(), more.end(), pair[0]) == more.end())
        all.insert(all.end(), pair.begin(), pair.end());
    return all;
  }
  Json json(Words more) const {
    more.push_back("--json");
    const std::string text = output(words(more));
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "JSON is one line";
    return Json::parse(text);
  }
};

TEST_F(CliExplain, JsonHasTheAgreedKeys) {
  const Json found = json({"--row", "5", "--target", "y", "--where", "w > 0"});
  Words keys;
  for (const auto& item : found.items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (Words{"of", "target", "where", "samples", "background", "coalitions", "exact", "features",
                         "rows"}));
  EXPECT_EQ(found["of"], "mean");
  EXPECT_EQ(found["target"], "y");
  EXPECT_EQ(found["where"], "w > 0");
  EXPECT_EQ(found["samples"], 60);
  EXPECT_EQ(found["background"].size(), 8u);
  EXPECT_EQ(found["coalitions"], 8);
  EXPECT_EQ(found["exact"], true);
  EXPECT_EQ(found["features"], (Json{"a", "b", "color"}));
  ASSERT_EQ(found["rows"].size(), 1u);
  keys.clear();
  for (const auto& item : found["rows"][0].items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (Words{"row", "base", "output", "probability", "values", "data"}));
  EXPECT_EQ(found["rows"][0]["row"], 5);
}

TEST_F(CliExplain, ValuesLeadFromBaseToOutput) {
  for (const Words& what : {Words{"--target", "y"},
                            {"--target", "w", "--of", "sd"},
                            {"--target", "y", "--of", "median"},
                            {"--target", "y", "--of", "width:0.9"},
                            {"--of", "region", "--where", "y > 1 and w <= 2.5"},
                            {"--target", "y", "--of", "quantile:0.1", "--where", "w > 0.5"}}) {
    Words more = {"--row", "0,2:4"};
    more.insert(more.end(), what.begin(), what.end());
    const Json found = json(more);
    ASSERT_EQ(found["rows"].size(), 3u);
    for (const Json& row : found["rows"]) {
      const auto values = row["values"].get<std::vector<double>>();
      EXPECT_EQ(values.size(), 3u);
      EXPECT_NEAR(row["base"].get<double>() + std::accumulate(values.begin(), values.end(), 0.0),
                  row["output"], 1e-12);
    }
    EXPECT_EQ(found["rows"][2]["row"], 3);
  }
}

TEST_F(CliExplain, OutputIsTheForecast) {
  const Csv predicted(output({"predict", "model", "data.csv", "--mean"}));
  const Json found = json({"--row", "0:5", "--target", "w", "--samples", "1000"});
  for (std::size_t row = 0; row < 5; ++row)
    EXPECT_NEAR(found["rows"][row]["output"], predicted.numbers("w_mean")[row], 1e-6);
}

TEST_F(CliExplain, CellsAreNumbersLevelsAndGaps) {
  const Json found = json({"--row", "5", "--target", "y"});  // every 17th b from 5 on is a gap
  const Json data = found["rows"][0]["data"];
  EXPECT_TRUE(data[0].is_number());
  EXPECT_TRUE(data[1].is_null());
  EXPECT_TRUE(data[2].is_string());
}

TEST_F(CliExplain, TextShowsEveryFeatureLargestFirst) {
  const std::string text = output(words({"--row", "5", "--target", "y", "--where", "w > 0"}));
  for (const char* part :
       {"mean of y, 60 draws, against 8 rows of data.csv", "row 5, the ", "% of its draws with w > 0",
        "feature", "contribution", "(gap)", "│", "█", "base", "this row"})
    EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
  const Json found = json({"--row", "5", "--target", "y", "--where", "w > 0"});
  const auto values = found["rows"][0]["values"].get<std::vector<double>>();
  std::vector<std::pair<double, std::size_t>> places;
  for (std::size_t f = 0; f < 3; ++f)
    places.emplace_back(-std::abs(values[f]),
                        text.find("\n  " + found["features"][f].get<std::string>() + " "));
  std::sort(places.begin(), places.end());
  for (std::size_t k = 0; k < 3; ++k) ASSERT_NE(places[k].second, std::string::npos) << text;
  EXPECT_LT(places[0].second, places[1].second);
  EXPECT_LT(places[1].second, places[2].second);
}

TEST_F(CliExplain, TopHidesTheRest) {
  const std::string text = output(words({"--row", "1", "--target", "y", "--top", "1"}));
  EXPECT_NE(text.find("2 others"), text.npos) << text;
}

TEST_F(CliExplain, BackgroundIsTheTableOrAnother) {
  write("other.csv", "color,b,a\nred,1,2\nblue,,3\n");
  const Json found = json({"--row", "0", "--target", "y", "--background", "other.csv"});
  EXPECT_EQ(found["background"], (Json{0, 1}));
  const Csv predicted(output({"predict", "model", "other.csv", "--samples", "200"}));
  const Json many = json({"--row", "0", "--target", "y", "--background", "other.csv", "--samples", "200"});
  double mean = 0;
  for (const Words& row : predicted.rows)
    for (std::size_t i = 0; i < 200; ++i) mean += std::stod(row[i]) / 400;
  EXPECT_NEAR(many["rows"][0]["base"], mean, 1e-5);
  EXPECT_NE(
      output(words({"--row", "0", "--target", "y", "--background", "other.csv"})).find("2 rows of other.csv"),
      std::string::npos);
}

TEST_F(CliExplain, SeedAndThreads) {
  const Words question = {"--row", "3", "--target", "y"};
  const auto with = [&](const Words& more) {
    Words all = question;
    all.insert(all.end(), more.begin(), more.end());
    return json(all);
  };
  EXPECT_EQ(with({}), with({"--threads", "1"}));
  EXPECT_EQ(with({"--seed", "0"}), with({}));
  EXPECT_NE(with({"--seed", "1"}), with({}));
}

TEST_F(CliExplain, UncalibratedIsAnotherForecast) {
  write("data.csv", sample_table(400));  // enough rows for a calibration
  make_model({}, {"--target", "w"});
  const Json calibrated = json({"--row", "3", "--target", "y", "--of", "sd"}),
             own = json({"--row", "3", "--target", "y", "--of", "sd", "--uncalibrated"});
  EXPECT_NE(own["rows"][0]["output"], calibrated["rows"][0]["output"]);
}

TEST_F(CliExplain, ReadsPipesAndWritesFiles) {
  const std::string expected = output(words({"--row", "3", "--target", "y", "--json"}));
  EXPECT_EQ(output(words({"--row", "3", "--target", "y", "--json"}, "-"), {.input = read("data.csv")}),
            expected);
  EXPECT_EQ(output(words({"--row", "3", "--target", "y", "--json", "--out", "found.json"})), "");
  EXPECT_EQ(read("found.json"), expected);
}

TEST_F(CliExplain, ABarOnATerminalOnly) {
  const std::string shown = Terminal(words({"--row", "0:3", "--target", "y"}), folder()).finish().out;
  EXPECT_NE(shown.find("of 3 rows explained"), shown.npos) << shown;
  EXPECT_EQ(run(words({"--row", "0:3", "--target", "y"})).err, "");
}

TEST_F(CliExplain, OneTargetNeedsNoName) {
  make_model({{"ignore", "w"}});
  EXPECT_EQ(json({"--row", "0"})["target"], "y");
  EXPECT_NE(output(words({"--row", "0", "--of", "quantile:0.9"})).find("90% quantile of y"),
            std::string::npos);
}

TEST_F(CliExplain, AnEmptyRegionGivesTheProbability) {
  expect_refused(words({"--row", "2", "--target", "y", "--where", "y > 1e9"}),
                 {"row 2", "y > 1e9", "probability 0", "0 of 60 draws"});
  EXPECT_EQ(json({"--row", "2", "--of", "region", "--where", "y > 1e9"})["rows"][0]["output"], 0);
}

TEST_F(CliExplain, BadWordsAreRefused) {
  expect_refused(words({"--target", "y"}), {"explain", "--row"});
  expect_refused(words({"--row", "0"}), {"2 targets (y, w)"});
  expect_refused(words({"--row", "0", "--target", "v"}), {"no target 'v' among y, w"});
  expect_refused(words({"--row", "120", "--target", "y"}), {"row 120", "data.csv has 120 rows"});
  expect_refused(words({"--row", "0:4000000000", "--target", "y"}), {"row 120", "data.csv has 120 rows"});
  for (const char* bad : {"x", "-1", "1,,2", "3:", "5:5", "7:3", "1.5", "", "99999999999999999999"})
    expect_refused(words({"--row", bad, "--target", "y"}), {"--row"});
  expect_refused(words({"--row", "0", "--target", "y", "--of", "mode"}), {"'mode'", "quantile:P"});
  expect_refused(words({"--row", "0", "--of", "region"}), {"no region"});
  expect_refused(words({"--row", "0", "--target", "y", "--where", "yy > 0"}),
                 {"character 1", "no target 'yy'"});
  expect_refused(words({"--row", "0", "--target", "y", "--where", ""}), {"region"});
  expect_refused(words({"--row", "0", "--target", "y", "--background-rows", "0"}), {"1 to 10000"});
  expect_refused(words({"--row", "0", "--target", "y", "--background", "none.csv"}), {"none.csv"});
  expect_refused(words({"--row", "0", "--targt", "y"}), {"--targt", "did you mean '--target'?"});
  write("one.csv", "a,b,color\n1,2,red\n");
  expect_refused(words({"--row", "0", "--target", "y"}, "one.csv"), {"one.csv has 1 row", "--background"});
}

}  // namespace
}  // namespace mirrorball::cli_test
