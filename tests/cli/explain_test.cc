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
  EXPECT_EQ(keys, (Words{"of", "target", "where", "samples", "background", "base_rows", "coalitions", "exact",
                         "features", "rows"}));
  EXPECT_EQ(found["of"], "mean");
  EXPECT_EQ(found["target"], "y");
  EXPECT_EQ(found["where"], "w > 0");
  EXPECT_EQ(found["samples"], 60);
  EXPECT_EQ(found["background"].size(), 8u);
  EXPECT_EQ(found["base_rows"], 120);
  EXPECT_EQ(found["coalitions"], 8);
  EXPECT_EQ(found["exact"], true);
  EXPECT_EQ(found["features"], (Json{"a", "b", "color"}));
  ASSERT_EQ(found["rows"].size(), 1u);
  keys.clear();
  for (const auto& item : found["rows"][0].items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (Words{"row", "base", "output", "probability", "values", "errors", "data"}));
  for (const Json& error : found["rows"][0]["errors"]) EXPECT_GT(error, 0);
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
       {"mean of y, 60 samples, background: 8 rows of data.csv", "row 5, the ", "% of its samples with w > 0",
        "feature", "contribution", "(missing)", "│", "█", "base", "this row"})
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

// A value that two standard errors do not tell from 0 has no solid bar; all rows and all sets leave no error.
TEST_F(CliExplain, TextShowsTheErrors) {
  const Words question = {"--row", "5", "--target", "y", "--background-rows", "4"};
  const std::string text = output(words(question));
  EXPECT_NE(text.find("± standard error"), text.npos) << text;
  Words all = question;
  all.push_back("--json");
  const Json row = Json::parse(output(words(all)))["rows"][0];
  const std::vector<std::string> names = {"a", "b", "color"};
  for (std::size_t f = 0; f < 3; ++f) {
    const std::size_t at = text.find("\n  " + names[f] + " ");
    ASSERT_NE(at, text.npos) << text;
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    EXPECT_NE(line.find(" ± "), line.npos) << line;
    if (std::abs(row["values"][f].get<double>()) < 2 * row["errors"][f].get<double>()) {
      EXPECT_EQ(line.find("█"), line.npos) << line;
    }
  }
  const std::string exact = output(words({"--row", "5", "--target", "y", "--background-rows", "120"}));
  EXPECT_EQ(exact.find("±"), exact.npos) << exact;
}

TEST_F(CliExplain, CsvHasALineForEveryFeature) {
  const Words question = {"--row", "5,7", "--target", "y"};
  const Csv found(output(words({"--row", "5,7", "--target", "y", "--csv"})));
  EXPECT_EQ(found.header, (Words{"row", "feature", "value", "contribution", "error", "base", "output"}));
  ASSERT_EQ(found.rows.size(), 6u);
  EXPECT_EQ(found.rows[4][0], "7");
  EXPECT_EQ(found.rows[4][1], "b");
  const Json row = json(question)["rows"][1];
  EXPECT_NEAR(std::stod(found.rows[4][3]), row["values"][1], 1e-5);
  EXPECT_NEAR(std::stod(found.rows[4][4]), row["errors"][1], 0.01 * row["errors"][1].get<double>());
  expect_refused(words({"--row", "5", "--target", "y", "--csv", "--json"}),
                 {"--csv", "cannot be combined", "--json"});
}

TEST_F(CliExplain, RegionsHaveOrNotAndBrackets) {
  const auto probability = [&](const std::string& where) {
    return json({"--row", "5", "--of", "region", "--where", where})["rows"][0]["output"].get<double>();
  };
  EXPECT_NEAR(probability("y > 1 or w > 1") + probability("not (y > 1 or w > 1)"), 1, 1e-12);
  EXPECT_EQ(probability("not (y > 1) and w <= 1"), probability("y <= 1 and w <= 1"));
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

TEST_F(CliExplain, RowsAreFoundByAnId) {
  write("keys.csv", "key,a,b,color\nA1,1,2,red\n007,3,,blue\nA1,2,2,green\n");
  const Json found = Json::parse(output(words({"--id", "key=007", "--target", "y", "--json"}, "keys.csv")));
  EXPECT_EQ(found, Json::parse(output(words({"--row", "1", "--target", "y", "--json"}, "keys.csv"))));
  const std::string text = output(words({"--id", "key=A1", "--target", "y"}, "keys.csv"));
  for (const char* part : {"\nrow 0 (key=A1)\n", "\nrow 2 (key=A1)\n"})
    EXPECT_NE(text.find(part), text.npos) << text;
  const auto refused = [&](const Words& more, std::initializer_list<std::string_view> parts) {
    Words all = words({"--target", "y"}, "keys.csv");
    all.insert(all.end(), more.begin(), more.end());
    expect_refused(all, parts);
  };
  refused({"--id", "key=7"}, {"keys.csv", "none of the 3 rows", "'7'", "'key'"});
  refused({"--id", "kex=7"}, {"'kex'", "did you mean 'key'"});
  refused({"--id", "key"}, {"--id key", "add --row", "key=17"});
  refused({"--id", "key=7", "--row", "1"}, {"--id key=7", "--row 1", "give one of them"});
  const std::string named = output(words({"--id", "key", "--row", "1,2", "--target", "y"}, "keys.csv"));
  EXPECT_NE(named.find("\nrow 1 (key="), named.npos) << named;
  EXPECT_NE(named.find("\nrow 2 (key="), named.npos) << named;
}

TEST_F(CliExplain, OneTargetNeedsNoName) {
  make_model({{"ignore", "w"}});
  EXPECT_EQ(json({"--row", "0"})["target"], "y");
  EXPECT_NE(output(words({"--row", "0", "--of", "quantile:0.9"})).find("90% quantile of y"),
            std::string::npos);
}

TEST_F(CliExplain, AnEmptyRegionGivesTheProbability) {
  expect_refused(words({"--row", "2", "--target", "y", "--where", "y > 1e9"}),
                 {"row 2", "y > 1e9", "none of its 60 samples"});
  EXPECT_EQ(json({"--row", "2", "--of", "region", "--where", "y > 1e9"})["rows"][0]["output"], 0);
}

TEST_F(CliExplain, BadWordsAreRefused) {
  expect_refused(words({"--target", "y"}), {"explain", "--row or --id is missing"});
  expect_refused(words({"--row", "0"}), {"2 targets (y, w)"});
  expect_refused(words({"--row", "0", "--target", "v"}), {"no target 'v'; its targets are y, w"});
  expect_refused(words({"--row", "120", "--target", "y"}), {"row 120", "data.csv has 120 rows"});
  expect_refused(words({"--row", "0:4000000000", "--target", "y"}),
                 {"--row 0:4000000000", "data.csv has 120 rows"});
  expect_refused(words({"--row", "3,100:121", "--target", "y"}), {"--row 100:121", "data.csv has 120 rows"});
  for (const char* bad : {"x", "-1", "1,,2", "3:", "5:5", "7:3", "1.5", "", "99999999999999999999"})
    expect_refused(words({"--row", bad, "--target", "y"}), {"--row"});
  expect_refused(words({"--row", "0", "--target", "y", "--of", "mode"}), {"'mode'", "quantile:P"});
  expect_refused(words({"--row", "0", "--of", "region"}), {"needs a region"});
  expect_refused(words({"--row", "0", "--target", "y", "--where", "yy > 0"}),
                 {"character 1", "unknown target 'yy'"});
  expect_refused(words({"--row", "0", "--target", "y", "--where", ""}), {"region"});
  expect_refused(words({"--row", "0", "--target", "y", "--background-rows", "0"}), {"1 to 10000"});
  expect_refused(words({"--row", "0", "--target", "y", "--background", "none.csv"}), {"none.csv"});
  expect_refused(words({"--row", "0", "--targt", "y"}), {"--targt", "did you mean '--target'?"});
  write("one.csv", "a,b,color\n1,2,red\n");
  expect_refused(words({"--row", "0", "--target", "y"}, "one.csv"),
                 {"one.csv has only 1 row", "--background"});
}

}  // namespace
}  // namespace mirrorball::cli_test
