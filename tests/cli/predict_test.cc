#include <cmath>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliPredict : public CliTest {
 protected:
  CliPredict() { make_model({{"ignore", "w"}}); }
  Csv predict(const Words& more, const std::string& data = "data.csv") const {
    Words words = {"predict", "model", data};
    words.insert(words.end(), more.begin(), more.end());
    return Csv(output(words));
  }
};

TEST_F(CliPredict, WithoutFlagsWritesMeanSdAndThreeQuantiles) {
  const Csv csv = predict({});
  EXPECT_EQ(csv.header, (Words{"y_mean", "y_sd", "y_q0.05", "y_q0.5", "y_q0.95"}));
  ASSERT_EQ(csv.rows.size(), 120u);
  const auto low = csv.numbers("y_q0.05"), middle = csv.numbers("y_q0.5"), high = csv.numbers("y_q0.95");
  for (std::size_t row = 0; row < 120; ++row) {
    EXPECT_LE(low[row], middle[row]);
    EXPECT_LE(middle[row], high[row]);
  }
}

TEST_F(CliPredict, FormsAgreeWithEachOther) {
  const Csv all = predict({});
  const Csv quantiles = predict({"--quantiles", "0.95,0.5,0.05"});
  EXPECT_EQ(quantiles.header, (Words{"y_q0.95", "y_q0.5", "y_q0.05"}));
  for (const std::string& name : quantiles.header) EXPECT_EQ(quantiles.column(name), all.column(name));
  const Csv interval = predict({"--interval", "0.9"});
  EXPECT_EQ(interval.header, (Words{"y_lower", "y_upper"}));
  EXPECT_EQ(interval.column("y_lower"), all.column("y_q0.05"));
  EXPECT_EQ(interval.column("y_upper"), all.column("y_q0.95"));
  const Csv mean = predict({"--mean"});
  EXPECT_EQ(mean.header, (Words{"y_mean"}));
  EXPECT_EQ(mean.column("y_mean"), all.column("y_mean"));
}

TEST_F(CliPredict, SamplesAreColumns) {
  const Csv csv = predict({"--samples", "7"});
  EXPECT_EQ(csv.header, (Words{"y_1", "y_2", "y_3", "y_4", "y_5", "y_6", "y_7"}));
  ASSERT_EQ(csv.rows.size(), 120u);
  EXPECT_NE(csv.column("y_1"), csv.column("y_2"));
}

TEST_F(CliPredict, SeveralTargetsStandSideBySide) {
  make_model({}, {"--target", "w"}, "model");
  EXPECT_EQ(predict({}).header, (Words{"y_mean", "y_sd", "y_q0.05", "y_q0.5", "y_q0.95", "w_mean", "w_sd",
                                       "w_q0.05", "w_q0.5", "w_q0.95"}));
  EXPECT_EQ(predict({"--samples", "2"}).header, (Words{"y_1", "y_2", "w_1", "w_2"}));
  EXPECT_EQ(predict({"--interval", "0.8"}).header, (Words{"y_lower", "y_upper", "w_lower", "w_upper"}));
}

TEST_F(CliPredict, SeedDecidesTheDraws) {
  const std::string first = output({"predict", "model", "data.csv", "--samples", "3", "--seed", "5"});
  EXPECT_EQ(output({"predict", "model", "data.csv", "--samples", "3", "--seed", "5"}), first);
  EXPECT_NE(output({"predict", "model", "data.csv", "--samples", "3", "--seed", "6"}), first);
}

TEST_F(CliPredict, FileAndStandardOutputAreTheSame) {
  for (const Words& form :
       {Words{}, {"--samples", "4"}, {"--quantiles", "0.1,0.9"}, {"--interval", "0.5"}, {"--mean"}}) {
    Words words = {"predict", "model", "data.csv"};
    words.insert(words.end(), form.begin(), form.end());
    const std::string expected = output(words);
    words.insert(words.end(), {"--out", "predictions.csv"});
    EXPECT_EQ(output(words), "");
    EXPECT_EQ(read("predictions.csv"), expected);
    words.back() = "-";
    EXPECT_EQ(output(words), expected);
  }
}

TEST_F(CliPredict, RowsDoNotDependOnEachOther) {
  const std::string block = sample_table(120).substr(sample_table(120).find('\n') + 1);
  std::string table = "a,b,color,w,y\n";
  for (int i = 0; i < 40; ++i) table += block;  // more rows than are predicted at a time
  write("long.csv", table);
  const std::vector<double> once = predict({"--mean"}).numbers("y_mean"),
                            many = predict({"--mean"}, "long.csv").numbers("y_mean");
  ASSERT_EQ(many.size(), 40 * once.size());
  for (std::size_t row = 0; row < many.size(); ++row) EXPECT_EQ(many[row], once[row % 120]) << row;
}

TEST_F(CliPredict, ColumnsAreFoundByName) {
  write("one.csv", "a,b,color\n1.5,0.5,red\n7,-1,blue\n");
  write("other.csv", "note,color,y,b,a\nhello,red,?,0.5,1.5\n\"x, y\",blue,text,-1,7\n");
  EXPECT_EQ(output({"predict", "model", "one.csv"}), output({"predict", "model", "other.csv"}));
}

TEST_F(CliPredict, UnknownLevelsAndGapsArePredicted) {
  write("strange.csv", "a,b,color\n1,1,violet\n,,\nNA,1,?\n1,NaN,\n1e30,-1e30,red\n");
  const Csv csv = predict({}, "strange.csv");
  ASSERT_EQ(csv.rows.size(), 5u);
  for (const std::string& name : csv.header)
    for (double value : csv.numbers(name)) EXPECT_TRUE(std::isfinite(value)) << name;
}

TEST_F(CliPredict, ACategoryOfUnknownLevelsIsTold) {
  write("strange.csv", "a,b,color,y\n1,1,Red,1\n2,,Blue,1\n3,3,,1\n");
  for (const char* verb : {"predict", "score"}) {
    const std::string told = run({verb, "model", "strange.csv"}).err;
    EXPECT_EQ(told.find("warning: strange.csv: 'color' holds no level that the model knows"), 0u) << told;
    EXPECT_NE(told.find("here Red, Blue, in training "), told.npos) << told;
  }
  write("known.csv", "a,b,color\n1,1,Red\n2,,blue\n");
  EXPECT_EQ(run({"predict", "model", "known.csv"}).err, "");
  write("gaps.csv", "a,b,color\n1,1,\n2,,NA\n");
  EXPECT_EQ(run({"predict", "model", "gaps.csv"}).err, "");
}

TEST_F(CliPredict, AQuantileAskedForTwiceIsRefused) {
  expect_refused({"predict", "model", "data.csv", "--quantiles", "0.5,0.1,0.5"}, {"0.5", "twice"});
}

// Types come from the model: a category that looks like numbers here, a number that is empty throughout.
TEST_F(CliPredict, TypesComeFromTheModel) {
  write("strange.csv", "a,b,color\n1,,5\n2,,6\n");
  EXPECT_EQ(predict({}, "strange.csv").rows.size(), 2u);
}

TEST_F(CliPredict, MissingFeaturesAreNamed) {
  write("less.csv", "alpha,b\n1,2\n");
  expect_refused({"predict", "model", "less.csv"}, {"less.csv", "color", "alpha"});
  expect_refused({"score", "model", "less.csv"}, {"less.csv"});
}

TEST_F(CliPredict, PointNetworksHaveOneDraw) {
  make_model({{"network", "point"}}, {}, "model");
  EXPECT_EQ(predict({"--mean"}).rows.size(), 120u);
  const Csv csv = predict({});
  EXPECT_EQ(csv.column("y_mean"), csv.column("y_q0.95"));
}

}  // namespace
}  // namespace mirrorball::cli_test
