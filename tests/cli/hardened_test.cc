#include <cmath>
#include <cstdlib>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Systems that allow a process less than usual.
class CliHardened : public CliTest {
 protected:
  CliHardened() { make_model(); }
};

TEST_F(CliHardened, MemoryThatMayNotBeExecuted) {
  if (!can_deny_generated_code()) GTEST_SKIP() << "this kernel has no PR_SET_MDWE";
  const Surroundings denied = {.no_generated_code = true};
  EXPECT_NE(output({"info"}, denied).find("Highway"), std::string::npos);
  output(fit_words({}, {}, "data.csv", "another"), denied);
  // Sums run in another order than with generated code.
  const Words words = {"predict", "model", "data.csv", "--mean"};
  const std::vector<double> usual = Csv(output(words)).numbers("y_mean"),
                            here = Csv(output(words, denied)).numbers("y_mean");
  ASSERT_EQ(here.size(), usual.size());
  for (std::size_t row = 0; row < usual.size(); ++row) EXPECT_NEAR(here[row], usual[row], 1e-4);
  // Products of bfloats are generated code, so there are none.
  expect_refused(fit_words({{"precision", "bfloat16"}}, {}, "data.csv", "rounded"),
                 {"precision bfloat16 needs a CPU with AVX-512 BF16"}, denied);
}

TEST_F(CliHardened, LittleMemory) {
  if (std::getenv("MIRRORBALL_PROGRAM") != nullptr) GTEST_SKIP() << "sanitizers take terabytes of addresses";
  int done = 0;
  for (rlim_t megabytes = 80;  // below, the stack of the program itself does not fit
       megabytes < 300; megabytes += 40) {
    const Surroundings tight = {.memory = megabytes << 20};
    for (const Words& words : {Words{"predict", "model", "data.csv", "--out", "predictions.csv"},
                               fit_words({{"quiet", ""}, {"threads", "4"}}, {}, "data.csv", "another")}) {
      const Outcome outcome = run(words, tight);
      // Where no thread can be started, that is said.
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 1 || outcome.code == 2)
          << megabytes << " MB: " << words[0] << " ended with " << outcome.code << ": " << outcome.err;
      const bool said = outcome.code == 0 || outcome.err == "mirrorball: out of memory\n" ||
                        outcome.err.find("cannot start a thread") != std::string::npos;
      EXPECT_TRUE(said) << megabytes << " MB: " << outcome.err;
      done += outcome.code == 0;
    }
  }
  EXPECT_GT(done, 0);
}

/// More threads than a machine has cores, or than the system may give.
TEST_F(CliHardened, OneThreadAndAThousand) {
  make_model({{"threads", "1"}}, {}, "one");
  const Outcome many = run(fit_words({{"threads", "1000"}}, {}, "data.csv", "thousand"));
  ASSERT_TRUE(many.code == 0 || many.err.find("cannot start a thread") != std::string::npos) << many.err;
  if (many.code == 0) {
    EXPECT_TRUE(read("thousand") == read("one"));
  }
  const Outcome refused = run({"predict", "model", "data.csv", "--threads", "100000000"});
  EXPECT_TRUE(refused.code == 0 || refused.code == 2) << refused.err;
}

TEST_F(CliHardened, NoHomeAndNoFolderForTemporaryFiles) {
  const Surroundings bare = {
      .added = {{"HOME", "/nowhere"}, {"TMPDIR", "/nowhere"}, {"XDG_CACHE_HOME", "/nowhere"}}};
  output(fit_words({}, {}, "data.csv", "another"), bare);
  EXPECT_TRUE(read("another") == read("model"));
  EXPECT_EQ(output({"predict", "model", "data.csv"}, bare), output({"predict", "model", "data.csv"}));
}

TEST_F(CliHardened, NoProc) {
  if (!can_leave_proc()) GTEST_SKIP() << "this system does not let a test leave /proc";
  if (std::getenv("MIRRORBALL_PROGRAM") != nullptr) GTEST_SKIP() << "sanitizers read /proc";
  const Surroundings without = {.no_proc = true};
  output(fit_words({}, {}, "data.csv", "another"), without);
  EXPECT_TRUE(read("another") == read("model"));
  output({"predict", "model", "data.csv", "--out", "predictions.csv"}, without);
  EXPECT_TRUE(read("predictions.csv") == output({"predict", "model", "data.csv"}));
}

}  // namespace
}  // namespace mirrorball::cli_test
