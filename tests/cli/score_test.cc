#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mirrorball::cli_test {
namespace {

/// The same JSON with every number replaced by 0: keys, order and nesting.
Json shape_of(const Json& json) {
  if (json.is_number()) return 0;
  if (json.is_string()) return "";
  Json shape = json;
  for (Json& item : shape) item = shape_of(item);
  return shape;
}

const Json kPair = {{"mean", 0}, {"median", 0}};
const Json kInterval = {{"coverage", 0}, {"mass", 0}, {"width", 0}};
const Json kCalibration = {
    {"verdict", ""}, {"shapes", Json::array()}, {"words", ""}, {"largest", 0}, {"largest_at", 0}, {"bias", 0},
    {"spread", 0},   {"below_median", 0},       {"values", 0}, {"ties", 0}};
const Json kTarget = {{"mae", 0},
                      {"rmse", 0},
                      {"crps", kPair},
                      {"nll", kPair},
                      {"interval", {{"0.5", kInterval}, {"0.9", kInterval}}},
                      {"qice", 0},
                      {"pit", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
                      {"calibration", kCalibration}};

class CliScore : public CliTest {
 protected:
  Json score(const Words& more = {}) const {
    Words words = {"score", "model", "data.csv", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string text = output(words);
    EXPECT_EQ(text.find('\n'), text.size() - 1) << "JSON is one line";
    return Json::parse(text);
  }

  /// Its keys. One is left out: it is there only where a row's draws had no spread, which may depend on the
  /// rounding of the CPU level.
  std::string keys() const {
    Json scores = score();
    for (Json& target : scores["targets"]) {
      target["nll"].erase("floored");
      target["calibration"]["shapes"] = Json::array();
    }
    return shape_of(scores).dump();
  }
};

TEST_F(CliScore, JsonHasTheAgreedKeys) {
  make_model();
  const Json expected = {{"rows", 0}, {"samples", 0}, {"targets", {{"y", kTarget}}}, {"energy_score", kPair}};
  EXPECT_EQ(keys(), expected.dump());
}

TEST_F(CliScore, EveryTargetHasItsScores) {
  make_model({}, {"--target", "a"});
  const Json expected = {
      {"rows", 0}, {"samples", 0}, {"targets", {{"y", kTarget}, {"a", kTarget}}}, {"energy_score", kPair}};
  EXPECT_EQ(keys(), expected.dump());
}

TEST_F(CliScore, NumbersHangTogether) {
  make_model();
  const Json json = score({"--samples", "50"}), y = json["targets"]["y"];
  EXPECT_EQ(json["rows"], 120);
  EXPECT_EQ(json["samples"], 50);
  EXPECT_EQ(score()["samples"], 1000);
  EXPECT_DOUBLE_EQ(json["energy_score"]["mean"], y["crps"]["mean"]);
  EXPECT_GT(y["crps"]["mean"], 0);
  EXPECT_LE(y["crps"]["mean"], y["mae"]);
  EXPECT_LE(y["interval"]["0.5"]["coverage"], y["interval"]["0.9"]["coverage"]);
  EXPECT_LE(y["interval"]["0.9"]["coverage"], 1);
  EXPECT_LT(y["interval"]["0.5"]["width"], y["interval"]["0.9"]["width"]);
  const auto pit = y["pit"].get<std::vector<double>>();
  EXPECT_NEAR(std::accumulate(pit.begin(), pit.end(), 0.0), 1, 1e-12);
}

// MAE is of the predictive median, RMSE of the predictive mean, recomputed from the draws themselves.
TEST_F(CliScore, AgreesWithThePredictedDraws) {
  make_model();
  const Csv draws(output({"predict", "model", "data.csv", "--samples", "31", "--seed", "4"}));
  const std::vector<double> observed = Csv(read("data.csv")).numbers("y");
  double absolute = 0, square = 0;
  for (std::size_t row = 0; row < observed.size(); ++row) {
    std::vector<double> values;
    for (const std::string& cell : draws.rows[row]) values.push_back(std::stod(cell));
    std::sort(values.begin(), values.end());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 31;
    absolute += std::abs(values[15] - observed[row]) / 120;
    square += (mean - observed[row]) * (mean - observed[row]) / 120;
  }
  const Json y = score({"--samples", "31", "--seed", "4"})["targets"]["y"];
  EXPECT_NEAR(y["mae"], absolute, 1e-5);
  EXPECT_NEAR(y["rmse"], std::sqrt(square), 1e-5);
}

TEST_F(CliScore, SeedDecidesTheDraws) {
  make_model();
  EXPECT_EQ(score({"--seed", "1"}), score({"--seed", "1"}));
  EXPECT_NE(score({"--seed", "1"}), score({"--seed", "2"}));
}

TEST_F(CliScore, TextNamesTheScores) {
  make_model({}, {"--target", "w"});
  const std::string text = output({"score", "model", "data.csv"});
  for (const char* part :
       {"120 rows, 1,000 samples each", "\ny\n", "\nw\n", "CRPS", "NLL", "MAE of median", "RMSE of mean",
        "50% interval", "90% interval", "QICE", "PIT", "Calibration", "Energy score"})
    EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
}

TEST_F(CliScore, ACorruptOutcomeIsPointedOut) {
  make_model();
  write("new.csv", sample_table(200) + "1,2,red,1,1e6\n");
  const Outcome outcome = run({"score", "model", "new.csv", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_GT(Json::parse(outcome.out)["targets"]["y"]["crps"]["mean"], 1000);
  EXPECT_EQ(
      outcome.err.find("warning: the target 'y' has a value far from all others: 1e+06 in data row 201"), 0u)
      << outcome.err;
  EXPECT_EQ(run({"score", "model", "data.csv"}).err, "");
}

TEST_F(CliScore, DrawsWithoutSpreadAreSaid) {
  make_model({{"architecture", "point"}});
  EXPECT_EQ(score()["targets"]["y"]["nll"]["floored"], 120);
  EXPECT_NE(output({"score", "model", "data.csv"}).find("samples without spread in 120 rows"),
            std::string::npos);
}

class CliDistance : public CliTest {
 protected:
  void fit_law(const std::string& law, const Words& more = {}) const {
    write("data.csv", output({"data", law, "--rows", "200"}));
    Words words = {"fit", "data.csv", "--out", "model"};
    for (const std::string& name : Csv(read("data.csv")).header)
      if (name != "x") words.insert(words.end(), {"--target", name});
    for (const auto& [name, value] : small_fit()) words.insert(words.end(), {"--" + name, value});
    words.insert(words.end(), more.begin(), more.end());
    output(words);
  }
};

TEST_F(CliDistance, JsonHasTheAgreedKeysForEveryLaw) {
  const Json pair = {{"mean", 0}, {"sd", 0}};
  const Json expected = {{"jsd", pair}, {"hellinger", pair}, {"wasserstein", pair}, {"energy", pair}};
  for (const char* law : {"unimodal", "crossing", "squares", "arcs"}) {
    fit_law(law);
    const Json found = Json::parse(
        output({"distance", "model", "--distribution", law, "--points", "5", "--samples", "300", "--json"}));
    EXPECT_EQ(shape_of(found).dump(), expected.dump()) << law;
    EXPECT_GT(found["jsd"]["mean"], 0);
    EXPECT_LE(found["jsd"]["mean"], 1);
    EXPECT_LE(found["hellinger"]["mean"], 1);
    EXPECT_GT(found["wasserstein"]["mean"], 0);
  }
}

TEST_F(CliDistance, TextIsFourLines) {
  fit_law("crossing");
  const Words words = {"distance", "model", "--distribution", "crossing",
                       "--points", "5",     "--samples",      "300"};
  const std::string text = output(words);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  for (const char* part : {"Jensen-Shannon", "Hellinger", "Wasserstein", "energy"})
    EXPECT_NE(text.find(part), text.npos) << text;
  EXPECT_EQ(output(words), text);
}

TEST_F(CliDistance, TheModelMustHaveTheTargetsOfTheLaw) {
  fit_law("crossing");
  expect_refused({"distance", "model", "--distribution", "arcs"}, {"arcs", "y1, y2"});
  expect_refused({"distance", "model", "--distribution", "crosing"}, {"crosing", "did you mean 'crossing'?"});
  expect_refused({"distance", "model"}, {"--distribution"});
  const Outcome old = run({"distance", "model", "--law", "crossing", "--points", "5", "--samples", "300"});
  EXPECT_EQ(old.code, 0) << old.err;
  EXPECT_EQ(old.err, "warning: --law is now --distribution\n");
}

}  // namespace
}  // namespace mirrorball::cli_test
