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
  expect_refused({"train", "data.csv"},
                 {"unknown command 'train'", "fit, cv, predict, score", ", demo, completion"});
  expect_refused({""}, {"command"});
}

TEST_F(CliBadWords, NoVerbShowsTheHelp) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("Usage: mirrorball"), outcome.err.npos);
}

TEST_F(CliBadWords, MissingAndSuperfluousWords) {
  const char* const usage = "usage: mirrorball fit DATA --target COL --out FILE [flags]";
  expect_refused({"fit"}, {"fit: DATA is missing", usage});
  expect_refused({"fit", "data.csv", "--out", "model"}, {"fit: --target is missing", usage});
  expect_refused({"fit", "data.csv", "--target", "y"},
                 {"fit: --out is missing", "usage: mirrorball fit DATA --target COL --out FILE [flags]"});
  expect_refused({"fit", "data.csv", "--out", "model", "--target"}, {"--target needs a value: --target COL"});
  expect_refused(fit_words({}, {"more.csv"}), {"more.csv: No such file"});  // it would be one of several
  expect_refused({"info", "model", "more"},
                 {"info: unexpected word 'more'", "usage: mirrorball info [MODEL]"});
  expect_refused(fit_words({}, {"--epochs", "3"}),
                 {"fit: --epochs is given twice, as 2 and 3: give it once"});
  expect_refused(fit_words({}, {"--epochs", "3", "--epochs", "4"}), {"3 times, as 2, 3 and 4"});
  expect_refused(fit_words({}, {"--refit=maybe"}), {"--refit takes no value", "--no-refit to turn it off"});
  expect_refused({"predict", "model"}, {"predict: DATA is missing"});
  expect_refused({"predict", "model", "data.csv", "--mean=maybe"},
                 {"--mean takes no value: use --mean alone"});
  expect_refused({"completion", "tcsh"}, {"SHELL 'tcsh' is not one of bash, zsh, fish"});
  expect_refused({"serve", "model", "--port", "70000"},
                 {"--port '70000' is not a whole number from 0 to 65535"});
  expect_refused({"score"}, {"score: MODEL is missing"});
  expect_refused({"functions", "model"}, {"functions", "--"});
}

TEST_F(CliBadWords, UnknownPreset) {
  expect_refused_fit({{"preset", "papr"}}, {"'papr'", "did you mean 'paper'?"});
  expect_refused_fit({{"preset", "best"}}, {"'best'", "default, paper, disco, point"});
}

TEST_F(CliBadWords, EveryOptionRefusesNonsense) {
  for (const OptionInfo& info : option_list()) {
    if (info.kind == "folder") continue;  // which may have any name
    std::string flag = info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    if (info.kind == "switch") {
      expect_refused(fit_words({}, {"--" + flag + "=maybe"}), {flag});
    } else {
      expect_refused_fit({{flag, "maybe"}}, {"--" + flag + " 'maybe'"});
      expect_refused_fit({{flag, "1x"}}, {"--" + flag + " '1x'"});
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
    expect_refused_fit({{flag, low}}, {"--" + flag + " " + low});
    expect_refused_fit({{flag, "99999999999999999999999"}}, {"--" + flag + " 99999999999999999999999"});
    if (info.kind == "number") expect_refused_fit({{flag, "nan"}}, {"--" + flag + " nan"});
  }
  expect_refused_fit({{"width", "0"}}, {"width", "1 to 4096"});
  expect_refused_fit({{"energy-exponent", "2"}}, {"--energy-exponent", "0.001 to 1.999"});
  expect_refused_fit({{"activation", "rellu"}}, {"activation", "did you mean 'relu'?"});
  expect_refused_fit({{"refit", ""}, {"no-refit", ""}}, {"--no-refit", "--refit"});
}

// Also those that only the fit finds.
TEST_F(CliBadWords, OptionsAreCalledByTheirFlags) {
  expect_refused_fit({{"valid-fraction", "0.9"}, {"calibrate", "conformal"}, {"group", "color"}},
                     {"--target-transform standard"});
  write("one.csv", "a,y\n1,2\n");
  expect_refused(fit_words({}, {}, "one.csv"), {"one.csv"});
  expect_refused_fit({{"network", "4"}}, {"--architecture '4' is not one of dnplus, disco, point"});
}

TEST_F(CliBadWords, ColumnsOfTextThatMustBeNumbers) {
  expect_refused_fit({{"valid-by", "color"}},
                     {"--valid-by color", "contains text, for example 'blue'", "dates"});
  expect_refused_fit({{"weight", "color"}}, {"--weight color", "contains text, for example 'blue'"});
  make_model();
  write("bare.csv", "a,b,color,w\n1,2,red,1\n");
  expect_refused({"score", "model", "bare.csv"},
                 {"bare.csv: there is no column 'y', the target", "needed to score"});
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
