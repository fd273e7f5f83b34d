#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliReport : public CliTest {
 protected:
  /// Targets y and w; features a, b (with gaps) and color.
  CliReport() { make_model({}, {"--target", "w"}); }

  Words words(const Words& more, const std::string& data = "data.csv") const {
    Words all = {"report", "model", data, "--samples", "60", "--explain-rows", "3", "--out", "out"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json json(Words more, const std::string& data = "data.csv") const {
    more.push_back("--json");
    EXPECT_EQ(run(words(more, data)).code, 0);
    return Json::parse(read("out"));
  }
};

TEST_F(CliReport, WritesTheNumbersAndSaysTheSummary) {
  const Outcome outcome = run(words({"--json", "--title", "A <b> of mine"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("the mean absolute error of y is"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("wrote out\n"), std::string::npos) << outcome.err;
  const Json found = Json::parse(read("out"));
  EXPECT_EQ(found["title"], "A <b> of mine");
  EXPECT_EQ(found["model"]["name"], "model");
  EXPECT_EQ(found["data"]["name"], "data.csv");
  EXPECT_EQ(found["features"].size(), 3u);
  ASSERT_EQ(found["targets"].size(), 2u);
  const Json scores = Json::parse(output({"score", "model", "data.csv", "--samples", "60", "--json"}));
  EXPECT_EQ(found["targets"][0]["calibration"]["words"], scores["targets"]["y"]["calibration"]["words"]);
  EXPECT_NEAR(found["targets"][0]["scores"]["crps"][0].get<double>(),
              scores["targets"]["y"]["crps"]["mean"].get<double>(),
              1e-4 * scores["targets"]["y"]["crps"]["mean"].get<double>());
  EXPECT_EQ(found["history"].size(), found["model"]["networks"]);
}

TEST_F(CliReport, ThePageIsOneFileWithoutAddresses) {
  const Outcome outcome = run(words({}));
  if (outcome.err.find("without its web pages") != std::string::npos) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_FALSE(exists("out"));
    GTEST_SKIP() << "built without pages";
  }
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = read("out");
  EXPECT_LT(page.size(), 3u << 20);
  for (const char* part : {"<link rel=\"stylesheet\"", "src=\"", "@import", "url(http"})
    EXPECT_EQ(page.find(part), page.npos) << part;
  EXPECT_NE(page.find("\"summary\":[\"On these "), page.npos);
}

TEST_F(CliReport, SameSeedSameBytes) {
  ASSERT_EQ(run(words({"--json", "--threads", "1"})).code, 0);
  const std::string first = read("out");
  ASSERT_EQ(run(words({"--json", "--threads", "2"})).code, 0);
  EXPECT_EQ(read("out"), first);
  ASSERT_EQ(run(words({"--json", "--seed", "7"})).code, 0);
  EXPECT_NE(read("out"), first);
}

TEST_F(CliReport, WorksWithoutTargetsAndFromAPipe) {
  write("new.csv", "color,b,a,other\nred,1,2,x\nblue,NA,1,y\npurple,3,900,z\n");
  const Outcome outcome = run(words({"--json"}, "-"), {.input = read("new.csv")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json found = Json::parse(read("out"));
  EXPECT_EQ(found["data"]["scored"], false);
  EXPECT_EQ(found["data"]["name"], "standard input");
  EXPECT_NE(outcome.err.find("warning: color has a category new or rare in training (purple), in 1 row"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("outside the training range, in a"), std::string::npos) << outcome.err;
}

TEST_F(CliReport, RowsGoByAKeyColumn) {
  write("keyed.csv", "key,color,b,a,other\n007,red,1,2,x\n\"a, b\",blue,NA,1,y\n9,red,3,1,z\n");
  const Json found = json({"--id", "key"}, "keyed.csv");
  EXPECT_EQ(found["id"]["column"], "key");
  const Json& names = found["id"]["names"];
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names["0"], "007") << "as it stands there";
  EXPECT_EQ(names["1"], "a, b");
  EXPECT_FALSE(json({}, "keyed.csv").contains("id"));
  expect_refused(words({"--id", "kee"}, "keyed.csv"), {"kee", "key"});
}

TEST_F(CliReport, QuietRowsAndNoExplanation) {
  const Outcome outcome = run({"report", "model", "data.csv", "--out", "out", "--json", "--quiet", "--rows",
                               "20", "--explain-rows", "0"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json found = Json::parse(read("out"));
  EXPECT_EQ(found["data"]["used"], 20);
  EXPECT_FALSE(found["targets"][0].contains("drivers"));
}

TEST_F(CliReport, WhatCannotBeIsRefused) {
  write("short.csv", "a,color\n1,red\n");
  expect_refused(words({}, "short.csv"), {"short.csv", "b"});
  write("empty.csv", "a,b,color,y,w\n");
  expect_refused(words({}, "empty.csv"), {"no rows"});
  expect_refused({"report", "model", "data.csv"}, {"--out"});
  expect_refused({"report", "model", "data.csv", "--out", "no/folder/report.html"}, {"no/folder"});
  expect_refused(words({"--rows", "0"}), {"--rows"});
}

}  // namespace
}  // namespace mirrorball::cli_test
