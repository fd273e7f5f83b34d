#include <fmt/format.h>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliCv : public CliTest {
 protected:
  CliCv() { write("data.csv", table(240)); }

  /// Days and stores beside the sample's columns.
  static std::string table(int rows) {
    std::string text = "day,store,x,y\n";
    for (int i = 0; i < rows; ++i)
      text += fmt::format("2024-{:02}-{:02},s{},{},{}\n", 1 + i / 28 % 12, 1 + i % 28, i % 6, i % 11,
                          (i % 11) * 3 + (i * 7) % 5);
    return text;
  }

  static Words words(const Words& more = {}, const std::string& folds = "3") {
    Words all = {"cv", "data.csv", "--target", "y",           "--folds", folds,     "--networks",
                 "1",  "--epochs", "2",        "--min-steps", "0",       "--width", "8"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(CliCv, ATableOfFolds) {
  const std::string text = output(words());
  for (const char* part : {"3 folds, random\n", "fold", "CRPS", "MAE", "RMSE", "NLL", "cover 50%",
                           "cover 90%", "width 90%", "\n  3 ", "\n  mean ", "\n  ± sd "})
    EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
  EXPECT_EQ(text, output(words({"--quiet", "--threads", "1"})));
  EXPECT_NE(text, output(words({"--seed", "1"})));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CliCv, Json) {
  const Json json = Json::parse(output(words({"--json"})));
  EXPECT_EQ(json["folds"], 3);
  EXPECT_EQ(json["test_rows"], Json({80, 80, 80}));
  const Json crps = json["targets"]["y"]["crps"];
  double mean = 0;
  for (const Json& fold : crps["folds"]) mean += fold.get<double>() / 3;
  EXPECT_NEAR(crps["mean"].get<double>(), mean, 1e-12);
  EXPECT_GT(crps["sd"], 0);
  for (const char* name : {"mae", "rmse", "nll", "coverage_50", "coverage_90", "width_90"})
    EXPECT_EQ(json["targets"]["y"][name]["folds"].size(), 3u) << name;
}

TEST_F(CliCv, GroupsAndTime) {
  const Json groups = Json::parse(output(words({"--json", "--group", "store"})));
  EXPECT_EQ(groups["split"], "whole groups of store");
  const Json time = Json::parse(output(words({"--json", "--valid-by", "day"})));
  EXPECT_LT(time["training_rows"][0], time["training_rows"][2]);
  expect_refused(words({"--group", "store"}, "7"), {"6 groups", "7 folds"});
}

TEST_F(CliCv, BadWords) {
  expect_refused({"cv", "data.csv", "--target", "z"}, {"'z'"});
  expect_refused(words({}, "1"), {"--folds"});
  expect_refused(words({"--out", "model"}), {"--out"});
}

}  // namespace
}  // namespace mirrorball::cli_test
