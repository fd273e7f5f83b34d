#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Same seed, same numbers, whatever the number of threads.
class CliSameResult : public CliTest {
 protected:
  /// Enough work that every thread gets some: several tiles a step, two members, two targets.
  void expect_same_model(const Settings& settings, const Words& more, std::size_t rows = 700) const {
    write("data.csv", sample_table(rows));
    Settings all = settings;
    all.merge(Settings{{"networks", "2"}, {"width", "24"}, {"draws", "8"}, {"batch", "150"}, {"seed", "3"}});
    std::string first;
    for (const char* threads : {"1", "2", "7"}) {
      all["threads"] = threads;
      make_model(all, more);
      const std::string model = read("model");
      if (first.empty()) first = model;
      EXPECT_TRUE(model == first) << "another model with " << threads << " threads";
    }
  }
};

TEST_F(CliSameResult, ModelFilesOfOneTarget) { expect_same_model({}, {}); }
TEST_F(CliSameResult, ModelFilesOfAllExperts) { expect_same_model(all_experts(), {}, 300); }
TEST_F(CliSameResult, ModelFilesOfSeveralTargets) { expect_same_model({}, {"--target", "w"}); }
TEST_F(CliSameResult, ModelFilesOfThePaper) {
  expect_same_model({{"preset", "paper"}, {"noise-grid", "0"}}, {});
}
TEST_F(CliSameResult, ModelFilesOfDisco) { expect_same_model({{"preset", "disco"}}, {}); }
TEST_F(CliSameResult, ModelFilesOfPoint) { expect_same_model({{"preset", "point"}}, {}); }

TEST_F(CliSameResult, AnotherSeedIsAnotherModel) {
  make_model({{"seed", "1"}}, {}, "one");
  make_model({{"seed", "1"}}, {}, "again");
  make_model({{"seed", "2"}}, {}, "two");
  EXPECT_TRUE(read("one") == read("again"));
  EXPECT_FALSE(output({"predict", "one", "data.csv"}) == output({"predict", "two", "data.csv"}));
}

TEST_F(CliSameResult, PredictionsAndScores) {
  write("data.csv", sample_table(300));
  Settings settings = all_experts();
  settings["networks"] = "2";
  make_model(settings);
  const std::string draws = output({"predict", "model", "data.csv", "--samples", "20", "--threads", "1"}),
                    scores = output({"score", "model", "data.csv", "--json", "--threads", "1"});
  for (const char* threads : {"2", "7", "0"}) {
    EXPECT_TRUE(output({"predict", "model", "data.csv", "--samples", "20", "--threads", threads}) == draws);
    EXPECT_EQ(output({"score", "model", "data.csv", "--json", "--threads", threads}), scores);
  }
}

/// A row's samples are its own: the same in any order, alone, in blocks of any size, beside rows far away,
/// and at any CPU level what that level gives for it elsewhere.
TEST_F(CliSameResult, ARowHasTheSameSamplesWhereverItStands) {
  write("data.csv", sample_table(300));
  make_model();
  const std::string table = sample_table(24);
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = table.find('\n', at)) != table.npos; at = end + 1)
    lines.push_back(table.substr(at, end - at + 1));
  const std::string header = lines.front();
  const auto samples = [&](const std::string& rows, const std::map<std::string, std::string>& added) {
    write("rows.csv", header + rows);
    const std::string text = output({"predict", "model", "rows.csv", "--samples", "9"}, {.added = added});
    Words found;
    for (std::size_t at = text.find('\n') + 1, end; (end = text.find('\n', at)) != text.npos; at = end + 1)
      found.push_back(text.substr(at, end - at));
    return found;
  };
  const std::string far = "1e38,-1e38,nowhere,1,0\n0,0,,1,0\n";
  for (const char* level : {"", "baseline", "sse4"}) {  // the default, and two that every machine has
    std::map<std::string, std::string> added;
    if (*level != '\0') added["MIRRORBALL_CPU"] = level;
    std::string forwards, backwards;
    for (std::size_t i = 1; i < lines.size(); ++i) forwards += lines[i], backwards = lines[i] + backwards;
    const Words all = samples(forwards, added), reversed = samples(backwards, added);
    ASSERT_EQ(all.size(), lines.size() - 1);
    EXPECT_EQ(Words(reversed.rbegin(), reversed.rend()), all) << level;
    EXPECT_EQ(samples(lines[3], added).front(), all[2]) << level;
    EXPECT_EQ(samples(far + lines[5], added).back(), all[4]) << level;
  }
}

}  // namespace
}  // namespace mirrorball::cli_test
