#include <filesystem>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Fits whose rows do not fit into the memory that they may use.
class CliMemory : public CliTest {
 protected:
  CliMemory() {
    write("data.csv", sample_table(6000));
    std::filesystem::create_directory(folder() + "/cache");
  }

  Words words(const std::string& out, const Words& more = {}, const Settings& settings = {}) const {
    Settings all = {{"memory", "100k"}, {"cache", "cache"}, {"forest", "0"}, {"calibrate", "none"}};
    for (const auto& [name, value] : settings) all[name] = value;
    return fit_words(all, more, "data.csv", out);
  }
  bool cache_is_empty() const { return std::filesystem::is_empty(folder() + "/cache"); }
};

TEST_F(CliMemory, WhatIsKeptInAFileIsSaid) {
  const Outcome outcome = run(words("model"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("data.csv: 6,000 rows"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("a file in cache"), std::string::npos) << outcome.err;
  EXPECT_TRUE(cache_is_empty());
  EXPECT_EQ(description()["plan"]["sample_rows"].get<int>(), 6000);
  EXPECT_FALSE(description()["options"].contains("memory"));
  EXPECT_EQ(description()["training_rows"].get<int>(), 5400);
  const std::string plan = output({"fit", "data.csv", "--target", "y", "--memory", "100k", "--plan"});
  EXPECT_NE(plan.find("shuffled together"), std::string::npos) << plan;
  output(words("usual", {}, {{"memory", "1G"}}));
  EXPECT_FALSE(description("usual")["plan"].contains("sample_rows"));
}

TEST_F(CliMemory, SeveralFilesAreTheSameTable) {
  output(words("model"));
  const std::string text = read("data.csv");
  const std::size_t header = text.find('\n') + 1, middle = text.find('\n', text.size() / 2) + 1;
  write("part-1.csv", text.substr(0, middle));
  write("part-2.csv", text.substr(0, header) + text.substr(middle));
  output(fit_words({{"memory", "100k"}, {"forest", "0"}, {"calibrate", "none"}}, {}, "part-*.csv", "parts"));
  EXPECT_TRUE(read("parts") == read("model"));
}

TEST_F(CliMemory, KilledItLeavesNothingAndCanGoOn) {
  const Settings longer = {{"epochs", "40"}, {"checkpoint", "0.05"}, {"threads", "1"}};
  output(words("whole", {}, longer));
  int kills = 0;
  for (int after = 20;; after = after * 3 / 2) {
    const Outcome outcome = run(words("model", {"--resume"}, longer), {.killed_after_ms = after});
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + 9) << outcome.err;
    EXPECT_TRUE(cache_is_empty());
    if (outcome.code == 0) break;
    ++kills;
  }
  EXPECT_GT(kills, 0);
  EXPECT_TRUE(read("model") == read("whole"));
}

TEST_F(CliMemory, WhatGoesWrongIsSaidInALine) {
  expect_refused(words("model", {}, {{"cache", "none"}}), {"none", "No such file or directory"});
  expect_refused(words("model"),
                 {"cache of a table larger than memory in cache", "File too large", "option memory"},
                 {.largest_file = 100000});
  expect_refused(words("model", {"--group", "color"}), {"memory 100k", "'color'"});
  expect_refused(words("model", {}, {{"memory", "much"}}), {"--memory", "'much'"});
}

}  // namespace
}  // namespace mirrorball::cli_test
