#include <fmt/format.h>

#include <cmath>
#include <random>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Fits of about a second, kept a hundred times.
class CliResume : public CliTest {
 protected:
  CliResume() { write("data.csv", sample_table(1500)); }

  Words words(const std::string& out, const Words& more, const Settings& settings = {}) const {
    Settings all = {{"networks", "3"},      {"epochs", "40"}, {"width", "32"},          {"draws", "8"},
                    {"checkpoint", "0.05"}, {"threads", "1"}, {"gaussian-process", "0"}};
    for (const auto& [name, value] : settings) all[name] = value;
    return fit_words(all, more, "data.csv", out);
  }
};

TEST_F(CliResume, KilledAtAnyMomentItGivesTheSameBytes) {
  output(words("whole", {}));
  EXPECT_FALSE(exists("whole.checkpoint")) << "it stays only where it is needed";
  std::mt19937 random(std::random_device{}());
  const auto seed = random();
  random.seed(seed);
  SCOPED_TRACE(fmt::format("seed {}", seed));
  // Later attempts have more time, so that it ends on a slow machine too.
  int kills = 0, attempts = 0;
  for (Outcome outcome; outcome.code != 0; ++attempts) {
    const double most = 200 * std::pow(1.6, attempts);
    outcome =
        run(words("model", {"--resume"}),
            {.killed_after_ms = 20 + static_cast<int>(most * static_cast<double>(random() % 1000) / 1000)});
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + 9) << outcome.err;
    if (outcome.code == 0) break;
    ++kills;
    EXPECT_FALSE(exists("model"));
  }
  EXPECT_GT(kills, 0);
  EXPECT_TRUE(read("model") == read("whole"));
  EXPECT_FALSE(exists("model.checkpoint"));
}

TEST_F(CliResume, WhatIsThereIsSaid) {
  // Killed too early there is no checkpoint yet, too late none any more.
  int after = 100;
  for (int attempt = 0; !exists("model.checkpoint/fit.json"); ++attempt) {
    ASSERT_LT(attempt, 100);
    const Outcome cut = run(words("model", {}), {.killed_after_ms = after});
    after = cut.code == 0 ? after / 2 : after * 5 / 4;
  }
  expect_refused(words("model", {"--resume"}, {{"epochs", "39"}}),
                 {"model.checkpoint", "another fit", "epochs", "\"40\" there", "\"39\" here"});
  write("data.csv", sample_table(1499));
  expect_refused(words("model", {"--resume"}), {"model.checkpoint", "1500 rows there and 1499 here"});
  write("data.csv", sample_table(1500));
  const Outcome resumed = run(words("model", {"--resume"}));
  EXPECT_EQ(resumed.code, 0);
  EXPECT_NE(resumed.err.find("continuing from the checkpoint model.checkpoint"), std::string::npos)
      << resumed.err;
  const Outcome fresh = run(words("model", {"--resume"}));
  EXPECT_NE(fresh.err.find("no checkpoint at model.checkpoint"), std::string::npos) << fresh.err;
}

TEST_F(CliResume, WhatCannotBeResumedIsRefused) {
  expect_refused(words("model", {"--resume"}, {{"time-limit", "5"}}), {"--resume", "--time-limit 5"});
  expect_refused({"fit", "data.csv", "--target", "y", "--out", "model", "--checkpoint", "0", "--resume"},
                 {"--resume", "--checkpoint 0"});
  expect_refused(words("model", {}, {{"checkpoint", "-1"}}), {"--checkpoint -1"});
}

}  // namespace
}  // namespace mirrorball::cli_test
