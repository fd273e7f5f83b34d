#include "fixture.h"
#include "mirrorball/options.h"

#include <algorithm>

namespace mirrorball::cli_test {
namespace {

/// Words on the command line that cannot be meant.
class CliBadWords : public CliTest {
 protected:
  CliBadWords() { write("data.csv", sample_table(40)); }
  void expect_refused_fit(const Settings& settings, std::initializer_list<std::string_view> parts) const {
    expect_refused(fit_words(settings), parts);
  }
};

TEST_F(CliBadWords, UnknownFlags) {
  expect_refused_fit({{"epoch", "3"}}, {"--epoch", "did you mean '--epochs'?"});
  expect_refused_fit({{"widht", "3"}}, {"--widht", "did you mean '--width'?"});
  expect_refused_fit({{"learning_rate", "3"}}, {"--learning_rate", "did you mean '--learning-rate'?"});
  expect_refused({"score", "model", "data.csv", "--jsn"}, {"--jsn", "did you mean '--json'?"});
  expect_refused({"predict", "model", "data.csv", "--sample=3"}, {"--sample", "did you mean '--samples'?"});
  expect_refused({"info", "--zebra"}, {"--zebra", "mirrorball info --help"});
  expect_refused({"--verison"}, {"--verison", "did you mean '--version'?"});
  expect_refused({"-x"}, {"-x"});
}

TEST_F(CliBadWords, UnknownVerbs) {
  expect_refused({"predcit"}, {"'predcit'", "did you mean 'predict'?"});
  expect_refused({"train", "data.csv"}, {"'train'", "fit, predict, score"});
  expect_refused({""}, {"verb"});
}

TEST_F(CliBadWords, NoVerbShowsTheHelp) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("Usage: mirrorball"), outcome.err.npos);
}

TEST_F(CliBadWords, MissingAndSuperfluousWords) {
  expect_refused({"fit"}, {"fit", "data"});
  expect_refused({"fit", "data.csv", "--out", "model"}, {"fit", "--target"});
  expect_refused({"fit", "data.csv", "--target", "y"}, {"fit", "--out"});
  expect_refused({"fit", "data.csv", "--out", "model", "--target"}, {"fit", "--target"});
  expect_refused(fit_words({}, {"more.csv"}), {"fit", "more.csv"});
  expect_refused(fit_words({}, {"--epochs", "3"}), {"--epochs"});
  expect_refused({"predict", "model"}, {"predict", "data"});
  expect_refused({"score"}, {"score", "model"});
  expect_refused({"functions", "model"}, {"functions", "--"});
}

TEST_F(CliBadWords, UnknownPreset) {
  expect_refused_fit({{"preset", "papr"}}, {"'papr'", "did you mean 'paper'?"});
  expect_refused_fit({{"preset", "best"}}, {"'best'", "default, paper, disco, point"});
}

TEST_F(CliBadWords, EveryOptionRefusesNonsense) {
  for (const OptionInfo& info : option_list()) {
    std::string flag = info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (info.kind == "switch") {
      expect_refused(fit_words({}, {"--" + flag + "=maybe"}), {flag});
    } else {
      expect_refused_fit({{flag, "maybe"}}, {info.name, "maybe"});
      expect_refused_fit({{flag, "1x"}}, {info.name, "1x"});
      expect_refused(fit_words({}, {"--" + flag + "="}), {flag});
    }
  }
}

TEST_F(CliBadWords, EveryNumberHasARange) {
  for (const OptionInfo& info : option_list()) {
    if (info.kind != "integer" && info.kind != "number") continue;
    std::string flag = info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const std::string low = info.low <= -1 ? "-2" : "-1";
    expect_refused_fit({{flag, low}}, {info.name, low});
    expect_refused_fit({{flag, "99999999999999999999999"}}, {info.name, "99999999999999999999999"});
    if (info.kind == "number") expect_refused_fit({{flag, "nan"}}, {info.name, "nan"});
  }
  expect_refused_fit({{"width", "0"}}, {"width", "1 to 4096"});
  expect_refused_fit({{"alpha", "2"}}, {"alpha", "0.001 to 1.999"});
  expect_refused_fit({{"activation", "rellu"}}, {"activation", "did you mean 'relu'?"});
  expect_refused_fit({{"refit", ""}, {"no-refit", ""}}, {"--no-refit", "--refit"});
}

TEST_F(CliBadWords, WhatIsAskedOfAPrediction) {
  make_model();
  const auto expect_bad = [&](const Words& more, std::initializer_list<std::string_view> parts) {
    Words words = {"predict", "model", "data.csv"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, parts);
  };
  expect_bad({"--samples", "0"}, {"--samples", "0"});
  expect_bad({"--samples", "few"}, {"--samples", "few"});
  expect_bad({"--samples", "3", "--mean"}, {"--samples", "--mean"});
  expect_bad({"--interval", "0.9", "--quantiles", "0.5"}, {"--interval", "--quantiles"});
  expect_bad({"--quantiles", "0.5,1.5"}, {"quantile", "1.5", "0 to 1"});
  expect_bad({"--quantiles", "0.5,half"}, {"--quantiles", "half"});
  expect_bad({"--quantiles", ""}, {"quantiles"});
  expect_bad({"--interval", "0"}, {"interval", "0"});
  expect_bad({"--interval", "90"}, {"interval", "90"});
  expect_bad({"--interval", "nan"}, {"interval", "nan"});
  expect_bad({"--seed", "-1"}, {"--seed", "-1"});
  expect_bad({"--threads", "-1"}, {"--threads", "-1"});
  expect_bad({"--threads", "1000000"}, {"--threads", "1000000"});
  expect_refused({"score", "model", "data.csv", "--samples", "0"}, {"--samples", "0"});
  expect_refused({"score", "model", "data.csv", "--samples", "1"}, {"--samples", "from 2 to"});
  expect_refused({"score", "model", "data.csv", "--threads", "1000000"}, {"--threads", "1000000"});
}

TEST_F(CliBadWords, FilesThatAreNotThere) {
  make_model();
  expect_refused(fit_words({}, {}, "missing.csv"), {"missing.csv", "No such file"});
  expect_refused(fit_words({}, {}, "."), {".", "directory"});
  expect_refused({"predict", "model", "missing.csv"}, {"missing.csv", "No such file"});
  expect_refused({"predict", "missing", "data.csv"}, {"missing", "No such file"});
  expect_refused({"score", ".", "data.csv"}, {".", "directory"});
  expect_refused({"info", "missing"}, {"missing", "No such file"});
}

TEST_F(CliBadWords, PlacesThatCannotBeWritten) {
  make_model();
  expect_refused(fit_words({}, {}, "data.csv", "nowhere/model"), {"nowhere/model", "no folder nowhere"});
  expect_refused(fit_words({}, {}, "data.csv", "."), {"directory"});
  expect_refused(fit_words({}, {}, "data.csv", ""), {"--out"});
  expect_refused(fit_words({}, {}, "data.csv", "-"), {"--out"});
  expect_refused({"predict", "model", "data.csv", "--out", "nowhere/p.csv"},
                 {"nowhere/p.csv", "No such file"});
  expect_refused({"predict", "model", "data.csv", "--out", "."}, {"directory"});
  expect_refused({"functions", "model", "--vary", "a", "--from", "0", "--to", "1", "--out", "nowhere/f.csv"},
                 {"nowhere/f.csv"});
}

}  // namespace
}  // namespace mirrorball::cli_test
