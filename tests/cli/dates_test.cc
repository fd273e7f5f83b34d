#include <fmt/format.h>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Days of 2023 and 2024, and y that grows with them.
std::string dated_table() {
  std::string table = "sold,size,y\n";
  for (int i = 0; i < 200; ++i)
    table += fmt::format("20{}-{:02}-{:02},{},{}\n", 23 + i % 2, 1 + i % 12, 1 + i % 28, i % 7,
                         i % 12 + 12 * (i % 2));
  return table;
}

class CliDates : public CliTest {
 protected:
  CliDates() {
    write("data.csv", dated_table());
    told_ = run(fit_words({{"calibrate", "none"}})).err;
  }
  std::string told_;
};

TEST_F(CliDates, AreRememberedByTheModel) {
  EXPECT_NE(told_.find("numbers    size\n  dates      sold\n"), told_.npos) << told_;
  const Json features = description()["features"];
  EXPECT_EQ(features[0]["dates"], true);
  EXPECT_FALSE(features[1].contains("dates"));
}

TEST_F(CliDates, OtherFormsAreRefusedAsDates) {
  write("new.csv", "sold,size\n31.12.2024,3\n");
  expect_refused({"predict", "model", "new.csv"},
                 {"new.csv:2", "'sold'", "'31.12.2024' is not a date", "2024-02-29"});
}

TEST_F(CliDates, AreShownInExplanations) {
  const Words words = {"explain",   "model", "data.csv",          "--row", "1",
                       "--samples", "20",    "--background-rows", "5"};
  EXPECT_NE(output(words).find("2024-02-02"), std::string::npos) << output(words);
  Words as_json = words;
  as_json.push_back("--json");
  EXPECT_EQ(Json::parse(output(as_json))["rows"][0]["data"], (Json{"2024-02-02", 1}));
}

TEST_F(CliDates, AreShownInReports) {
  const Json report = Json::parse(output({"report", "model", "data.csv", "--samples", "40", "--explain-rows",
                                          "2", "--json", "--quiet", "--out", "-"}));
  EXPECT_EQ(report["features"][0]["dates"], true);
  EXPECT_EQ(report["features"][0]["low"], 1672531200);  // 2023-01-01
  EXPECT_FALSE(report["features"][1].contains("dates"));

  std::string later = "sold,size,y\n";
  for (int i = 0; i < 100; ++i) later += fmt::format("2026-06-{:02},{},3\n", 1 + i % 28, i % 7);
  write("later.csv", later);
  const Json drifted = Json::parse(output({"report", "model", "later.csv", "--samples", "40",
                                           "--explain-rows", "0", "--json", "--quiet", "--out", "-"}));
  const std::string words = drifted["drift"][0]["words"];
  EXPECT_NE(words.find("median 2026-06-"), words.npos) << words;
  EXPECT_NE(words.find(" in training"), words.npos) << words;
}

TEST_F(CliDates, MayBeRunAlong) {
  const Words words = {"functions", "model", "--vary", "sold", "--points", "2", "--count", "1"};
  const auto along = [&](const char* from, const char* to) {
    Words all = words;
    all.insert(all.end(), {"--from", from, "--to", to});
    return all;
  };
  EXPECT_EQ(output(along("2023-01-01", "2024-12-31")), output(along("1672531200", "1735603200")));
  expect_refused(along("1.1.2023", "2024-12-31"), {"--from 1.1.2023", "nor a date"});
}

}  // namespace
}  // namespace mirrorball::cli_test
