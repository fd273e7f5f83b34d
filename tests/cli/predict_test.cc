#include <cmath>
#include <sstream>

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
  EXPECT_EQ(interval.header, (Words{"y_lower_90", "y_upper_90"}));
  EXPECT_EQ(interval.column("y_lower_90"), all.column("y_q0.05"));
  EXPECT_EQ(interval.column("y_upper_90"), all.column("y_q0.95"));
  const Csv mean = predict({"--mean"});
  EXPECT_EQ(mean.header, (Words{"y_mean"}));
  EXPECT_EQ(mean.column("y_mean"), all.column("y_mean"));
}

TEST_F(CliPredict, SummariesCombine) {
  const Csv csv = predict({"--quantiles", "0.5,0.25", "--interval", "0.9", "--mean"});
  EXPECT_EQ(csv.header, (Words{"y_mean", "y_lower_90", "y_upper_90", "y_q0.5", "y_q0.25"}));
  const Csv mean = predict({"--mean"}), interval = predict({"--interval", "0.9"}),
            quantiles = predict({"--quantiles", "0.5,0.25"});
  EXPECT_EQ(csv.column("y_mean"), mean.column("y_mean"));
  for (const char* name : {"y_lower_90", "y_upper_90"}) EXPECT_EQ(csv.column(name), interval.column(name));
  for (const char* name : {"y_q0.5", "y_q0.25"}) EXPECT_EQ(csv.column(name), quantiles.column(name));
  for (const Words& summary : {Words{"--mean"}, {"--interval", "0.5"}, {"--samples-per-row", "5"}}) {
    Words words = {"predict", "model", "data.csv", "--samples", "3"};
    words.insert(words.end(), summary.begin(), summary.end());
    expect_refused(words, {"--samples 3", "cannot be combined", summary[0]});
  }
}

// Parts add up to the total, which is that of the samples.
TEST_F(CliPredict, UncertaintyComesInTwoParts) {
  make_model({{"ignore", "w"}, {"networks", "2"}});
  const Csv csv = predict({"--uncertainty", "--mean", "--interval", "0.9", "--id", "a"});
  EXPECT_EQ(csv.header, (Words{"a", "y_mean", "y_lower_90", "y_upper_90", "y_variance",
                               "y_variance_aleatoric", "y_variance_epistemic", "y_expected_crps",
                               "y_expected_crps_aleatoric", "y_expected_crps_epistemic"}));
  EXPECT_EQ(csv.column("y_mean"), predict({"--mean"}).column("y_mean"));
  const auto sd = predict({}).numbers("y_sd");
  bool disputed = false;
  for (const std::string measure : {"y_variance", "y_expected_crps"}) {
    const auto total = csv.numbers(measure), aleatoric = csv.numbers(measure + "_aleatoric"),
               epistemic = csv.numbers(measure + "_epistemic");
    ASSERT_EQ(total.size(), 120u);
    for (std::size_t row = 0; row < total.size(); ++row) {
      EXPECT_NEAR(aleatoric[row] + epistemic[row], total[row], 2e-6 * total[row]);
      EXPECT_GE(epistemic[row], 0);
      EXPECT_GT(aleatoric[row], 0);
      disputed = disputed || epistemic[row] > 0;
      if (measure == "y_variance") {
        EXPECT_NEAR(total[row], sd[row] * sd[row], 2e-6 * total[row]);
      }
    }
  }
  EXPECT_TRUE(disputed);
  expect_refused({"predict", "model", "data.csv", "--samples", "3", "--uncertainty"},
                 {"--samples 3", "cannot be combined", "--uncertainty"});
}

TEST_F(CliPredict, UncertaintyOfASingleNetworkIsAleatoric) {
  make_model({{"ignore", "w"}, {"networks", "1"}, {"forest", "0"}, {"gaussian-process", "0"}}, {}, "single");
  const Outcome found = run({"predict", "single", "data.csv", "--uncertainty"});
  EXPECT_EQ(found.code, 0);
  EXPECT_NE(found.err.find("the epistemic part is 0"), std::string::npos) << found.err;
  const Csv csv(found.out);
  for (const char* name : {"y_variance_epistemic", "y_expected_crps_epistemic"})
    for (const double part : csv.numbers(name)) EXPECT_EQ(part, 0);
  EXPECT_EQ(csv.column("y_variance_aleatoric"), csv.column("y_variance"));
}

TEST_F(CliPredict, SeveralIntervalsSayTheirLevel) {
  const Csv csv = predict({"--interval", "0.9", "--interval=0.5", "--interval", "0.999"});
  EXPECT_EQ(csv.header,
            (Words{"y_lower_90", "y_upper_90", "y_lower_50", "y_upper_50", "y_lower_99.9", "y_upper_99.9"}));
  EXPECT_EQ(csv.column("y_lower_50"), predict({"--interval", "0.5"}).column("y_lower_50"));
  expect_refused({"predict", "model", "data.csv", "--interval", "0.9", "--interval", "0.9"},
                 {"interval 0.9 is given twice"});
}

// Shares of the samples that are written with the same seed.
TEST_F(CliPredict, ProbabilitiesOfRegions) {
  const Csv csv =
      predict({"--probability", "y > 1", "--probability", "0 < y <= 1", "--samples-per-row", "50"});
  EXPECT_EQ(csv.header, (Words{"P(y > 1)", "P(0 < y <= 1)"}));
  const Csv samples = predict({"--samples", "50"});
  const auto above = csv.numbers("P(y > 1)"), between = csv.numbers("P(0 < y <= 1)");
  for (std::size_t row = 0; row < samples.rows.size(); ++row) {
    double count = 0, inside = 0;
    for (const std::string& cell : samples.rows[row]) {
      count += std::stod(cell) > 1 ? 1 : 0;
      inside += std::stod(cell) > 0 && std::stod(cell) <= 1 ? 1 : 0;
    }
    EXPECT_NEAR(above[row], count / 50, 1e-9);
    EXPECT_NEAR(between[row], inside / 50, 1e-9);
  }
  EXPECT_EQ(predict({"--mean", "--probability", "y > 1"}).header, (Words{"y_mean", "P(y > 1)"}));
  const Words command = {"predict", "model", "data.csv", "--probability"};
  const auto with = [&](const Words& more) {
    Words words = command;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused(with({"x > 1"}), {"unknown target 'x'", "y"});
  expect_refused(with({"y > 1", "--probability", "y > 1"}), {"\"y > 1\"", "twice"});
  expect_refused(with({"y > 1", "--samples", "3"}),
                 {"--samples 3", "--probability y > 1", "cannot be combined"});
}

TEST_F(CliPredict, AProbabilityThatIsNowhereAboveZeroIsPointedOut) {
  const Outcome outcome = run({"predict", "model", "data.csv", "--probability", "y > 3 and y < 2", "--mean"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("warning: the probability of \"y > 3 and y < 2\" is 0 in all 120 rows"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run({"predict", "model", "data.csv", "--probability", "y < 1e9"}).err, "");
}

// The mean of samples i = 1 … M is the mean from M samples per row.
TEST_F(CliPredict, SamplesPerRowAreThoseBehindTheSummaries) {
  const Csv samples = predict({"--samples", "20"}), few = predict({"--mean", "--samples-per-row", "20"});
  EXPECT_NE(few.column("y_mean"), predict({"--mean"}).column("y_mean"));
  EXPECT_EQ(predict({"--samples-per-row", "1000"}).rows, predict({}).rows);
  for (std::size_t row = 0; row < 120; ++row) {
    double sum = 0;
    for (const std::string& cell : samples.rows[row]) sum += std::stod(cell);
    EXPECT_NEAR(few.numbers("y_mean")[row], sum / 20, 1e-5 * (1 + std::abs(sum)));
  }
  expect_refused({"predict", "model", "data.csv", "--samples-per-row", "0"}, {"--samples-per-row", "'0'"});
}

TEST_F(CliPredict, KeepsColumnsAsTheyAreInTheTable) {
  write("keys.csv", "key,a,b,color,note\n007,1.50,0.5,red,\"x, y\"\nNA,7,+1,blue, z \n");
  const std::string plain = output({"predict", "model", "keys.csv", "--mean"});
  std::istringstream lines(plain);
  std::string header, first, second;
  std::getline(lines, header), std::getline(lines, first), std::getline(lines, second);
  const Words words = {"predict", "model",  "keys.csv", "--mean", "--keep",
                       "note",    "--keep", "a",        "--id",   "key"};
  EXPECT_EQ(output(words), "key,note,a,y_mean\n007,\"x, y\",1.50," + first + "\nNA,z,7," + second + "\n");
  EXPECT_EQ(output({"predict", "model", "-", "--mean", "--id", "key"}, {.input = read("keys.csv")}),
            "key,y_mean\n007," + first + "\nNA," + second + "\n");
}

TEST_F(CliPredict, KeptColumnsThatCannotBeAreRefused) {
  const Words words = {"predict", "model", "data.csv", "--mean", "--keep"};
  const auto refused = [&](const Words& more, std::initializer_list<std::string_view> parts) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    expect_refused(all, parts);
  };
  refused({"colour"}, {"data.csv", "'colour'", "did you mean 'color'"});
  refused({"color", "--id", "color"}, {"'color'", "twice"});
  write("data.csv", "a,b,color,y_mean\n1,2,red,3\n");
  refused({"y_mean"}, {"'y_mean'", "rename"});
}

TEST_F(CliPredict, AHeaderAloneGivesAHeaderAlone) {
  write("empty.csv", "key,a,b,color\n");
  EXPECT_EQ(output({"predict", "model", "empty.csv"}), "y_mean,y_sd,y_q0.05,y_q0.5,y_q0.95\n");
  EXPECT_EQ(output({"predict", "model", "empty.csv", "--samples", "2", "--id", "key"}), "key,y_1,y_2\n");
  EXPECT_EQ(output({"predict", "model", "-", "--mean"}, {.input = "a,b,color"}), "y_mean\n");
  write("empty.csv", "key,a,b\n");
  expect_refused({"predict", "model", "empty.csv"}, {"empty.csv", "color"});
}

TEST_F(CliPredict, NamesOfFilesSayHowTheyAreWritten) {
  write("keys.csv", "key,a,b,color\n\"1,5\",1,2,red\n\"x|y\",2,3,blue\n");
  const auto written = [&](const std::string& out) {
    output({"predict", "model", "keys.csv", "--mean", "--id", "key", "--out", out});
    return read(out);
  };
  const std::string csv = written("p.csv");
  std::string tabs = csv;
  for (char& c : tabs) c = c == ',' ? '\t' : c;
  tabs.replace(tabs.find("1\t5"), 3, "1,5");
  EXPECT_EQ(written("p.tsv"), tabs);
  EXPECT_TRUE(written("p.csv.gz").starts_with("\x1f\x8b"));
  EXPECT_TRUE(written("p.tsv.zst").starts_with("\x28\xb5\x2f\xfd"));
  // Read back by a model of the predictions' own columns.
  const Words fit = {"--target", "y_mean", "--quiet", "--members", "1", "--width", "4", "--epochs", "1"};
  const auto model_of = [&](const std::string& data) {
    Words words = {"fit", data, "--out", "again"};
    words.insert(words.end(), fit.begin(), fit.end());
    output(words);
    return read("again");
  };
  const auto long_written = [&](const std::string& out) {
    output({"predict", "model", "data.csv", "--mean", "--keep", "a", "--out", out});
    return model_of(out);
  };
  const std::string expected = long_written("long.csv");
  for (const char* out : {"long.csv.gz", "long.tsv", "long.tsv.zst", "long.psv"})
    EXPECT_TRUE(long_written(out) == expected) << out;
}

TEST_F(CliPredict, ProgressAsLines) {
  const Words words = {"predict", "model", "data.csv", "--mean", "--out", "p.csv"};
  EXPECT_EQ(run(words).err, "");
  Words with_progress = words;
  with_progress.push_back("--progress");
  EXPECT_NE(run(with_progress).err.find(" rows"), std::string::npos);
  const std::string scored = run({"score", "model", "data.csv", "--progress"}).err;
  EXPECT_NE(scored.find(" rows"), scored.npos) << scored;
}

TEST_F(CliPredict, APackedFileAppearsWhenItIsComplete) {
  write("bad.csv", "a,b,color\n1,2,red\n1,two,red\n");
  expect_refused({"predict", "model", "bad.csv", "--out", "p.csv.zst"}, {"bad.csv:3", "'two'"});
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
  EXPECT_EQ(predict({"--interval", "0.8"}).header,
            (Words{"y_lower_80", "y_upper_80", "w_lower_80", "w_upper_80"}));
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
    EXPECT_EQ(told.find("warning: strange.csv: none of the values of 'color' occurred in training"), 0u)
        << told;
    EXPECT_NE(told.find("here: Red, Blue; training: "), told.npos) << told;
  }
  const std::string some = run({"predict", "model", "strange.csv", "--rows", "1:2"}).err;
  EXPECT_NE(some.find("here: Blue; training: "), some.npos) << some;
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
  make_model({{"architecture", "point"}}, {}, "model");
  EXPECT_EQ(predict({"--mean"}).rows.size(), 120u);
  const Csv csv = predict({});
  EXPECT_EQ(csv.column("y_mean"), csv.column("y_q0.95"));
}

}  // namespace
}  // namespace mirrorball::cli_test
