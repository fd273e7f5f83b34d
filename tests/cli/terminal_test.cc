#include <chrono>
#include <thread>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

const std::string kControlC = "\x03";

class CliTerminal : public CliTest {
 protected:
  CliTerminal() { write("data.csv", sample_table(120)); }
  /// A fit that would take days.
  Words endless_fit(const Settings& settings = {}) const {
    Settings all = settings;
    all.merge(Settings{{"epochs", "1000000000"}});
    return fit_words(all);
  }
};

TEST_F(CliTerminal, BarIsOnlyThere) {
  Terminal terminal(fit_words({{"epochs", "20"}}), folder());
  const Outcome shown = terminal.finish();
  EXPECT_EQ(shown.code, 0);
  for (const char* part : {"\r━", "100%", "with all rows", "best ", "\r\x1b[K", "saved model"})
    EXPECT_NE(shown.out.find(part), shown.out.npos) << shown.out << "lacks " << part;

  const Outcome piped = run(fit_words({{"epochs", "20"}}));
  EXPECT_EQ(piped.err.find_first_of("\r\x1b"), piped.err.npos) << piped.err;
  EXPECT_EQ(piped.err.find('%'), piped.err.npos) << piped.err;
}

TEST_F(CliTerminal, QuietHasNoBar) {
  Terminal terminal(fit_words({{"quiet", ""}}), folder());
  EXPECT_EQ(terminal.finish().out, "");
}

TEST_F(CliTerminal, LongPredictionsAndScoresHaveABar) {
  make_model();
  const Words predict = {"predict", "model", "data.csv", "--mean", "--out", "predictions.csv"};
  EXPECT_NE(Terminal(predict, folder()).finish().out.find("120 rows"), std::string::npos);
  const std::string scores = Terminal({"score", "model", "data.csv"}, folder()).finish().out;
  EXPECT_NE(scores.find("\r━"), scores.npos) << scores;
  EXPECT_EQ(run(predict).err, "");
  EXPECT_EQ(run({"score", "model", "data.csv"}).err, "");
}

TEST_F(CliTerminal, BarDoesNotMixWithResults) {
  make_model();
  const std::string shown = Terminal({"predict", "model", "data.csv"}, folder()).finish().out;
  EXPECT_EQ(shown.find("\x1b"), shown.npos);
}

TEST_F(CliTerminal, ControlCKeepsTheBestWeights) {
  Terminal terminal(endless_fit(), folder());
  ASSERT_TRUE(terminal.shows("best "));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  for (const char* part : {"interrupted: keeping the best weights so far", "saved model"})
    EXPECT_NE(outcome.out.find(part), outcome.out.npos) << outcome.out << "lacks " << part;
  EXPECT_EQ(description()["history"][0]["stopped"], true);
  EXPECT_NE(output({"info", "model"}).find("(interrupted)"), std::string::npos);
  EXPECT_EQ(Csv(output({"predict", "model", "data.csv"})).rows.size(), 120u);
  EXPECT_EQ(files().size(), 2u) << "something temporary was left";
}

// One epoch of a million steps: there is no validation score yet when the key is pressed.
TEST_F(CliTerminal, ControlCInTheFirstEpochKeepsAModelToo) {
  write("data.csv", sample_table(50000));
  Terminal terminal(endless_fit({{"batch", "1"}}), folder());
  ASSERT_TRUE(terminal.shows("epoch 0/"));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("saved model"), outcome.out.npos) << outcome.out;
  output({"predict", "model", "data.csv", "--mean"});
}

TEST_F(CliTerminal, ControlCKeepsTheNetworksSoFar) {
  Terminal terminal(endless_fit({{"members", "3"}, {"threads", "1"}}), folder());
  ASSERT_TRUE(terminal.shows("best "));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("1 of 3 networks"), outcome.out.npos) << outcome.out;
  EXPECT_EQ(description()["members"], 1);
}

// The terminal's buffer is full and the program waits for it when the key is pressed.
TEST_F(CliTerminal, ControlCOnATerminalNobodyReads) {
  Terminal terminal(endless_fit(), folder());
  ASSERT_TRUE(terminal.shows("best "));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("saved model"), outcome.out.npos) << outcome.out.substr(outcome.out.rfind('\r'));
  output({"info", "model"});
}

// A result is worth more than the words about it.
TEST_F(CliTerminal, WordsThatCannotBeSaidEndNothing) {
  const Surroundings deaf = {.err_path = "/dev/full"};
  EXPECT_EQ(run(fit_words(), deaf).code, 0);
  EXPECT_EQ(Csv(output({"predict", "model", "data.csv"}, deaf)).rows.size(), 120u);
  EXPECT_EQ(run({"predict", "model", "missing.csv"}, deaf).code, 2);
  EXPECT_EQ(run({"predcit"}, deaf).code, 2);
}

}  // namespace
}  // namespace mirrorball::cli_test
