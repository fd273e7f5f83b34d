#include <chrono>
#include <regex>
#include <sstream>
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
  for (const char* part :
       {"\r\x1b[36m━", "training", "refit on all rows", "energy score ", "\r\x1b[K", "saved \x1b[1mmodel"})
    EXPECT_NE(shown.out.find(part), shown.out.npos) << shown.out << "lacks " << part;

  const Outcome piped = run(fit_words({{"epochs", "20"}}));
  EXPECT_EQ(piped.err.find_first_of("\r\x1b"), piped.err.npos) << piped.err;
  EXPECT_EQ(piped.err.find(" left"), piped.err.npos) << piped.err;
}

// A table of 40 MB whose last row is wrong: all of it is read, and nothing more.
TEST_F(CliTerminal, ReadingHasABar) {
  std::string table = "a,y\n";
  for (int i = 0; i < 4000000; ++i) table += "12345,6789\n";
  write("data.csv", table + "1\n");
  const std::string shown = Terminal(fit_words(), folder()).finish().out;
  EXPECT_NE(shown.find("%  reading data.csv  "), shown.npos) << shown;
  EXPECT_NE(run(fit_words({{"progress", ""}})).err.find("%  reading data.csv  "), std::string::npos);
  EXPECT_EQ(run(fit_words()).err.find("reading"), std::string::npos);
}

// Shares only grow, with networks of different lengths and in the refit, and the best score only falls.
TEST_F(CliTerminal, OneBarForTheWholeFit) {
  const std::string shown =
      Terminal(fit_words({{"networks", "3"}, {"epochs", "8000"}, {"patience", "-1"}, {"threads", "2"}}),
               folder())
          .finish()
          .out;
  int last = 0, count = 0;
  double best = 1e9;
  for (std::size_t at = shown.find("%  training"); at != shown.npos; at = shown.find("%  training", at + 1)) {
    const int share = std::stoi(shown.substr(at - 3, 3));
    EXPECT_GE(share, last);
    last = share;
    ++count;
    const std::size_t end = shown.find('\r', at), score = shown.find("energy score ", at);
    if (score == shown.npos || score > end) continue;
    const double now = std::stod(shown.substr(score + 13));
    EXPECT_LE(now, best);
    best = now;
  }
  EXPECT_GT(count, 2);
}

/// Lines as they stand when the program has ended: without colours, and without what was drawn over.
std::vector<std::string> lines_of(const std::string& shown) {
  static const std::regex kCodes("\x1b\\[[0-9;]*[mK]|[^\n]*\r(?!\n)");
  std::istringstream text(std::regex_replace(shown, kCodes, ""));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
  return lines;
}

TEST_F(CliTerminal, ColoursAreOnlyThere) {
  make_model();
  const Words score = {"score", "model", "data.csv"}, bad = {"predict", "model", "nothing.csv"},
              help = {"fit", "--help"};
  EXPECT_NE(Terminal(score, folder()).finish().out.find("\x1b[1my\x1b[0m"), std::string::npos);
  EXPECT_NE(Terminal(bad, folder()).finish().out.find("\x1b[1;31mmirrorball:\x1b[0m nothing.csv"),
            std::string::npos);
  EXPECT_NE(Terminal(help, folder()).finish().out.find("\x1b[1mTraining options:\x1b[0m"), std::string::npos);
  for (const Screen& plain : {Screen{100, {{"NO_COLOR", "1"}}}, Screen{100, {{"TERM", "dumb"}}}})
    for (const Words& words : {fit_words(), bad, help, Words{"info", "model"}}) {
      const std::string shown = Terminal(words, folder(), plain).finish().out;
      EXPECT_EQ(std::regex_replace(shown, std::regex("\x1b\\[K"), "").find('\x1b'), std::string::npos)
          << shown;
    }
  EXPECT_EQ(output(score).find('\x1b'), std::string::npos);
  EXPECT_EQ(run(bad).err.find('\x1b'), std::string::npos);
}

// Lines end between names, and what is drawn over never takes a second line.
TEST_F(CliTerminal, NamesAreNotCut) {
  std::string header, row;
  for (const char* name : {"passenger_count", "pickup_borough", "dropoff_borough", "payment_type"}) {
    header += std::string(name) + ",";
    row += "somewhere,";
  }
  std::string table = header + "y\n";
  for (int i = 0; i < 60; ++i) table += row + std::to_string(i % 7) + "\n";
  write("data.csv", table);
  for (const unsigned short columns : {40, 60, 100}) {
    const std::string shown =
        Terminal(fit_words({{"networks", "2"}, {"epochs", "300"}}), folder(), {columns}).finish().out;
    std::string all;
    for (const std::string& line : lines_of(shown)) {
      if (line.starts_with("  categories ") || line.starts_with("             ")) {
        EXPECT_LE(line.size(), columns) << line;
        all += line;
      }
    }
    for (const char* name : {"passenger_count", "pickup_borough", "dropoff_borough", "payment_type"})
      EXPECT_NE(all.find(name), all.npos) << shown;
  }
  const std::string error =
      Terminal({"predict", "model", "data.csv", "--keep", "nothing"}, folder(), {40}).finish().out;
  for (const std::string& line : lines_of(error)) EXPECT_LE(line.size(), 40u) << error;
}

// What a terminal breaks by itself, it breaks inside words.
TEST_F(CliTerminal, SentencesEndWhereTheTerminalDoes) {
  make_model();
  EXPECT_EQ(run(fit_words({}, {}, "data.csv", "other")).code, 0);
  // From the line that begins so on, none is longer; a few characters have several bytes.
  const auto expect_fits = [&](const Words& words, const std::string& begin) {
    bool found = false;
    for (const std::string& line : lines_of(Terminal(words, folder(), {60}).finish().out)) {
      found = found || line.starts_with(begin);
      if (found) {
        EXPECT_LE(line.size(), 66u) << line;
      }
    }
    EXPECT_TRUE(found) << words[0] << " without '" << begin << "'";
  };
  expect_fits({"score", "model", "data.csv"}, "  Calibration ");
  expect_fits({"compare", "model", "other", "data.csv"}, "  CRPS of model minus");
  expect_fits({"report", "model", "data.csv", "--out", "page.html"}, "On these ");
  expect_fits({"info", "model"}, "plan");
  expect_fits(fit_words({{"plan", ""}}), "plan");
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
  EXPECT_NE(scores.find("\r\x1b[36m━"), scores.npos) << scores;
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
  ASSERT_TRUE(terminal.shows("energy score "));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  for (const char* part : {"interrupted: keeping the best weights so far", "saved "})
    EXPECT_NE(outcome.out.find(part), outcome.out.npos) << outcome.out << "lacks " << part;
  EXPECT_EQ(description()["history"][0]["stopped"], true);
  EXPECT_NE(output({"info", "model"}).find("(interrupted)"), std::string::npos);
  EXPECT_EQ(Csv(output({"predict", "model", "data.csv"})).rows.size(), 120u);
  EXPECT_EQ(files().size(), 2u) << "something temporary was left";
}

// One epoch of a million steps: there is no validation score yet when the key is pressed.
TEST_F(CliTerminal, ControlCInTheFirstEpochKeepsAModelToo) {
  write("data.csv", sample_table(20000));
  Terminal terminal(endless_fit({{"batch", "1"}, {"draws", "32"}}), folder());
  ASSERT_TRUE(terminal.shows("training"));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("saved "), outcome.out.npos) << outcome.out;
  write("rows.csv", sample_table(120));
  output({"predict", "model", "rows.csv", "--mean"});
}

// One thread fits the trees and neighbours first. The time left is there before any network trains, and the
// key ends them before they are done.
TEST_F(CliTerminal, TreesAndNeighboursHaveATimeLeftAndEndByControlC) {
  write("data.csv", sample_table(6000));
  Terminal terminal({"fit", "data.csv", "--target", "y", "--out", "model", "--threads", "1"}, folder());
  ASSERT_TRUE(terminal.shows(" left")) << terminal.shown();
  EXPECT_NE(terminal.shown().find("fitting trees and neighbours"), std::string::npos) << terminal.shown();
  EXPECT_EQ(terminal.shown().find("training"), std::string::npos) << terminal.shown();
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("(1 of 6 networks)"), outcome.out.npos) << outcome.out;
  EXPECT_EQ(description()["history"][0]["stopped"], true);
}

TEST_F(CliTerminal, ControlCKeepsTheNetworksSoFar) {
  Terminal terminal(endless_fit({{"networks", "3"}, {"threads", "1"}}), folder());
  ASSERT_TRUE(terminal.shows("energy score "));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("1 of 3 networks"), outcome.out.npos) << outcome.out;
  EXPECT_EQ(description()["networks"], 1);
}

// The terminal's buffer is full and the program waits for it when the key is pressed.
TEST_F(CliTerminal, ControlCOnATerminalNobodyReads) {
  Terminal terminal(endless_fit(), folder());
  ASSERT_TRUE(terminal.shows("energy score "));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  terminal.press(kControlC);
  const Outcome outcome = terminal.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.out.find("saved "), outcome.out.npos) << outcome.out.substr(outcome.out.rfind('\r'));
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
