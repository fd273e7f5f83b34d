#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Same seed, same numbers, whatever the number of threads.
class CliSameResult : public CliTest {
 protected:
  /// Enough work that every thread gets some: several tiles a step, two members, two targets.
  void expect_same_model(const Settings& settings, const Words& more) const {
    write("data.csv", sample_table(700));
    Settings all = settings;
    all.merge(Settings{{"members", "2"}, {"width", "24"}, {"draws", "8"}, {"batch", "150"}, {"seed", "3"}});
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
  write("data.csv", sample_table(700));
  make_model({{"members", "2"}});
  const std::string draws = output({"predict", "model", "data.csv", "--samples", "20", "--threads", "1"}),
                    scores = output({"score", "model", "data.csv", "--json", "--threads", "1"});
  for (const char* threads : {"2", "7", "0"}) {
    EXPECT_TRUE(output({"predict", "model", "data.csv", "--samples", "20", "--threads", threads}) == draws);
    EXPECT_EQ(output({"score", "model", "data.csv", "--json", "--threads", threads}), scores);
  }
}

}  // namespace
}  // namespace mirrorball::cli_test
