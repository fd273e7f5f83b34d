#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliFit : public CliTest {
 protected:
  Words features(const std::string& model = "model") const {
    return names_of(description(model)["features"]);
  }
  Words targets(const std::string& model = "model") const { return names_of(description(model)["targets"]); }

 private:
  static Words names_of(const Json& columns) {
    Words names;
    for (const Json& column : columns) names.push_back(column["name"]);
    return names;
  }
};

TEST_F(CliFit, TellsWhatItTakesTheColumnsFor) {
  write("data.csv", sample_table(120));
  const Outcome outcome = run(fit_words({{"weight", "w"}}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(exists("model"));
  for (const char* line :
       {"data.csv: 120 rows, 5 columns\n", "target     y\n", "numbers    a, b\n", "categories color (3)\n",
        "weight     w\n", "trained 1 network of ", ": validation energy score ",
        "saved model\nnext: mirrorball predict model NEW.csv\n"})
    EXPECT_NE(outcome.err.find(line), outcome.err.npos) << outcome.err << "lacks " << line;
}

// The plan is on standard output, nothing is trained, and what is stored and shown by info is the same.
TEST_F(CliFit, ThePlanIsShownWithoutTraining) {
  write("data.csv", sample_table(400));
  Words words = fit_words({});
  words.push_back("--plan");
  const std::string plan = output(words);
  EXPECT_FALSE(exists("model"));
  for (const char* part : {"data.csv: 400 rows", "plan\n", "320 for training, 80 for validation", "2 epochs",
                           "noise dimension 1", "refit", "8 trees"})
    EXPECT_NE(plan.find(part), plan.npos) << plan << "lacks " << part;
  output(fit_words({}));
  const std::string info = output({"info", "model"});
  const std::string lines = plan.substr(plan.find("plan\n"));
  EXPECT_NE(info.find(lines), info.npos) << info << "lacks\n" << lines;
  EXPECT_EQ(description("model")["plan"]["epochs"], 2);
  expect_refused({"fit", "data.csv", "--target", "nothing", "--plan"}, {"nothing"});
  words.insert(words.end(), {"--batch", "40"});
  EXPECT_NE(output(words).find("steps of 40 rows"), std::string::npos);
}

TEST_F(CliFit, SaysWhereAGuessMayBeWrong) {
  std::string table = "age,post code,y\n";
  for (int i = 0; i < 60; ++i)
    table += std::to_string(20 + i % 15) + ",K" + std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write("data.csv", table + "unknown,K60,1\n");
  const std::string told = run(fit_words()).err;
  for (const char* part :
       {"categories age (16)\n", "not used   post code\n",
        "note: column 'age' is read as text because of 'unknown' (15 of its 16 values are numbers)",
        "note: column 'post code' is not used: it has 61 different texts in 61 rows\n"})
    EXPECT_NE(told.find(part), told.npos) << told;
  const std::string declared = run(fit_words({}, {"--category", "age", "--category", "post code"})).err;
  EXPECT_NE(declared.find("not used   post code\n"), declared.npos) << declared;
  EXPECT_EQ(declared.find("column 'age'"), declared.npos) << declared;
  EXPECT_NE(declared.find("note: column 'post code' is not used"), declared.npos) << declared;
}

TEST_F(CliFit, PointsOutWhatIsNoDateAmongDates) {
  std::string table = "day,paid,y\n";
  for (int i = 0; i < 60; ++i)
    table += fmt::format("{},{},{}\n", i == 4 ? "2024-02-30" : fmt::format("2024-01-{:02}", 1 + i % 28),
                         i == 6 ? "20240229" : fmt::format("2024-03-{:02}", 1 + i % 28), i % 7);
  write("data.csv", table);
  const std::string told = run(fit_words()).err;
  for (const char* part :
       {"dates      paid\n",
        "note: column 'paid' has 1 number among its dates, first 20240229 in data row 7: read as seconds "
        "since "
        "1970; write it like 2024-02-29\n",
        "categories day (29)\n",
        "note: column 'day' is read as text because of '2024-02-30' in data row 5 (28 of its 29 values are "
        "dates); "})
    EXPECT_NE(told.find(part), told.npos) << told;
}

TEST_F(CliFit, NamesAColumnThatCountsTheRows) {
  std::string table = ",id,size,y\n";
  for (int i = 0; i < 150; ++i)
    table += fmt::format("{},{},{},{}\n", i, 5000 + 7 * ((31 * i) % 150), 1000 * i + 500, i % 7);
  write("data.csv", table);
  const std::string told = run(fit_words()).err;
  const std::string part =
      "note: column 'id' has a different integer in every row; drop it with --ignore id if it is a row "
      "number\n";
  EXPECT_NE(told.find(part), told.npos) << told;
  EXPECT_NE(told.find("numbers    id, size\n"), told.npos) << told;
  const std::string declared = run(fit_words({}, {"--number", "column1", "--number", "id"})).err;
  EXPECT_NE(declared.find("numbers    column1, id, size\n"), declared.npos) << declared;
}

TEST_F(CliFit, IgnoresAFirstColumnWithoutAName) {
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += fmt::format("{},{},{}\n", i, i % 11, i % 7);
  for (const std::string name : {"column1", "Unnamed: 0"}) {
    write("data.csv", (name == "column1" ? "" : name) + ",size,y\n" + rows);
    const std::string told = run(fit_words()).err;
    EXPECT_NE(
        told.find("ignored    " + name + " (the first column has no name; include it with --number '" + name),
        told.npos)
        << told;
    EXPECT_EQ(description()["features"].size(), 1u);
    output({"predict", "model", "data.csv"});
    output(fit_words({}, {"--number", name}));
    EXPECT_EQ(description()["features"].size(), 2u);
    output({"predict", "model", "data.csv"});
  }
}

TEST_F(CliFit, QuietSaysNothing) {
  write("data.csv", sample_table(120));
  EXPECT_EQ(run(fit_words({{"quiet", ""}})).err, "");
  EXPECT_TRUE(exists("model"));
}

TEST_F(CliFit, SeveralTargetsAreLearnedJointly) {
  write("data.csv", "a,y,z\n1,2,3\n2,3,1\n3,4,5\n4,2,7\n5,1,1\n6,3,2\n");
  output(fit_words({}, {"--target", "z"}));
  EXPECT_EQ(targets(), (Words{"y", "z"}));
  EXPECT_EQ(features(), (Words{"a"}));
}

TEST_F(CliFit, IgnoredAndWeightColumnsAreNoFeatures) {
  make_model({{"weight", "w"}}, {"--ignore", "b", "--ignore", "color"});
  EXPECT_EQ(features(), (Words{"a"}));
}

TEST_F(CliFit, FlagsTakeAnEqualsSign) {
  write("data.csv", sample_table(60));
  output({"fit", "data.csv", "--target=y", "--out=model", "--ignore=b", "--weight=w", "--networks=1",
          "--epochs=1", "--min-steps=0", "--width=8"});
  EXPECT_EQ(features(), (Words{"a", "color"}));
}

TEST_F(CliFit, NumbersMayBeTakenAsCategories) {
  make_model({}, {"--category", "w", "--category", "a"});
  const Json all = description();
  ASSERT_EQ(all["features"].size(), 4u);
  for (const Json& feature : all["features"])
    EXPECT_EQ(feature["type"], feature["name"] == "b" ? "number" : "category") << feature;
}

TEST_F(CliFit, EqualWeightsAreNoWeights) {
  write("data.csv", "a,one,y\n1,3,2\n2,3,3\n3,3,4\n4,3,2\n5,3,1\n6,3,3\n");
  make_model({{"weight", "one"}}, {}, "weighted");
  make_model({{"ignore", "one"}}, {}, "plain");
  EXPECT_EQ(output({"predict", "weighted", "data.csv"}), output({"predict", "plain", "data.csv"}));
}

// Rows of weight 0 must not pull: y is 0 where it counts and 100 where it does not.
TEST_F(CliFit, RowsWithoutWeightDoNotPull) {
  std::string table = "a,w,y\n";
  for (int i = 0; i < 200; ++i)
    table += std::to_string(i % 10) + (i % 2 ? ",1," : ",0,") + std::to_string(i % 2 ? i % 3 : 100) + "\n";
  write("data.csv", table);
  make_model({{"weight", "w"}, {"epochs", "100"}, {"batch", "20"}, {"target-transform", "standard"}});
  for (double mean : Csv(output({"predict", "model", "data.csv", "--mean"})).numbers("y_mean"))
    EXPECT_LT(mean, 30);
}

TEST_F(CliFit, ValidationRowsComeFromAShareOrATable) {
  write("valid.csv", sample_table(30));
  make_model({}, {}, "all");  // the held-out rows are trained on in the end
  EXPECT_EQ(description("all")["training_rows"], 120);
  make_model({{"no-refit", ""}}, {}, "fifth");
  EXPECT_EQ(description("fifth")["training_rows"], 96);
  make_model({{"no-refit", ""}, {"min-valid", "0"}}, {}, "tenth");
  EXPECT_EQ(description("tenth")["training_rows"], 108);
  make_model({{"no-refit", ""}, {"valid-fraction", "0.25"}}, {}, "quarter");
  EXPECT_EQ(description("quarter")["training_rows"], 90);
  make_model({{"valid-fraction", "0"}}, {}, "none");
  EXPECT_EQ(description("none")["training_rows"], 120);
  make_model({{"valid", "valid.csv"}}, {}, "table");
  EXPECT_EQ(description("table")["training_rows"], 120);
  output({"info", "none"});
}

TEST_F(CliFit, ValidationTableMayComeFromStandardInput) {
  write("valid.csv", sample_table(30));
  make_model({{"valid", "valid.csv"}}, {}, "from_file");
  output(fit_words({{"valid", "-"}}, {}, "data.csv", "from_pipe"), {.input = sample_table(30)});
  EXPECT_EQ(read("from_file"), read("from_pipe"));
}

TEST_F(CliFit, PatienceEndsTrainingEarly) {
  make_model({{"patience", "2"}, {"epochs", "300"}, {"learning-rate", "0.05"}, {"averaging", "0"}});
  const Json history = description()["history"][0];
  EXPECT_LT(history["valid"].size(), 300u);
  // Counted from the end of the first third at the earliest.
  EXPECT_EQ(history["valid"].size(),
            std::max<std::size_t>(history["best_epoch"].get<std::size_t>(), 100) + 2);
  EXPECT_EQ(history["stopped"], false);
}

TEST_F(CliFit, ATimeLimitEndsTrainingInGoodOrder) {
  // Without a limit these take seconds, and are all there in the end.
  constexpr std::size_t kEpochs = 20000;
  make_model({{"time-limit", "0.3"}, {"epochs", std::to_string(kEpochs)}, {"patience", "-1"}, {"refit", ""}});
  const Json all = description();
  EXPECT_LT(all["history"][0]["valid"].size(), kEpochs);
  EXPECT_EQ(all["history"][0]["stopped"], false);
  EXPECT_EQ(all["options"]["time_limit"], 0.3);
  EXPECT_NE(output({"info", "model"}).find(", then refit on all rows"), std::string::npos);
  output({"predict", "model", "data.csv"});
}

/// CPU seconds of all programs that have run so far.
double cpu_seconds() {
  rusage used = {};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// All phases are within it: reading, forest, networks, calibration and refit. What other processes take of
// the machine does not count here: two threads have no more CPU time than twice the limit.
TEST_F(CliFit, ATimeLimitHolds) {
  constexpr double kLimit = 3;
  write("data.csv", sample_table(20000));
  const double before = cpu_seconds();
  output({"fit", "data.csv", "--target", "y", "--out", "model", "--threads", "2", "--time-limit",
          fmt::format("{}", kLimit)});
  EXPECT_LT(cpu_seconds() - before, 1.1 * 2 * kLimit);
  EXPECT_EQ(description()["networks"], 6);
  EXPECT_NE(output({"info", "model"}).find(", then refit on all rows"), std::string::npos);
}

// Without a calibration, whose rows the limit decides, the error is measured on as many rows as after an
// epoch.
TEST_F(CliFit, ATimeLimitBoundsTheRowsOfTheHeldOutError) {
  write("data.csv", sample_table(4000));
  for (const auto& [limit, rows] : {std::pair{"0.4", 200}, std::pair{"0", 500}}) {
    make_model({{"calibrate", "none"}, {"time-limit", limit}});
    EXPECT_EQ(description()["fit_report"]["rows"], rows) << limit;
  }
}

TEST_F(CliFit, ValidationRowsAreTheLastOrWholeGroups) {
  std::string table = "day,store,x,y\n";
  for (int i = 0; i < 200; ++i)
    table += fmt::format("2024-{:02}-{:02},{},{},{}\n", 1 + i / 28, 1 + i % 28, i % 10, i % 11, (i * 7) % 5);
  write("data.csv", table);
  const std::string told = run(fit_words({{"valid-by", "day"}})).err;
  EXPECT_NE(told.find("dates      day\n"), told.npos) << told;
  EXPECT_EQ(description()["plan"]["valid_by"], "day");
  EXPECT_EQ(features(), (Words{"day", "store", "x"}));
  output(fit_words({{"valid-by", "day"}, {"ignore", "day"}}));
  EXPECT_EQ(features(), (Words{"store", "x"}));
  const std::string info = output({"info", "model"});
  EXPECT_NE(info.find("for validation (the last by day)"), info.npos) << info;

  const std::string grouped = run(fit_words({{"group", "store"}})).err;
  EXPECT_NE(grouped.find("group      store (no feature; --category store makes it one)\n"), grouped.npos)
      << grouped;
  EXPECT_EQ(features(), (Words{"day", "x"}));
  EXPECT_EQ(description()["plan"]["validation_rows"], 40);
  output(fit_words({{"group", "store"}, {"category", "store"}}));
  EXPECT_EQ(features(), (Words{"day", "store", "x"}));
  expect_refused(fit_words({{"group", "nothing"}}), {"'nothing'"});
  expect_refused(fit_words({{"group", "store"}, {"valid-by", "day"}}), {"--group", "--valid-by"});
  expect_refused(fit_words({{"group", "store"}, {"valid", "data.csv"}}), {"--valid", "--group"});
  expect_refused(fit_words({{"valid-by", "y"}}), {"'y'", "target"});
}

TEST_F(CliFit, ACorruptTargetIsPointedOut) {
  write("data.csv", sample_table(200) + "1,2,red,1,1e9\n");
  const Outcome outcome = run(fit_words());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(
      outcome.err.find("warning: the target 'y' has a value far from all others: 1e+09 in data row 201"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(run(fit_words({{"quiet", ""}})).err, "");
}

TEST_F(CliFit, ProgressMayBeLines) {
  write("data.csv", sample_table(400));
  const std::string told =
      run(fit_words({{"networks", "2"}, {"epochs", "6000"}, {"patience", "-1"}, {"progress", ""}})).err;
  EXPECT_NE(told.find("%  training  0/2 networks"), told.npos) << told;
  EXPECT_NE(told.find(" left\n"), told.npos) << told;
  EXPECT_EQ(told.find_first_of("\r\x1b"), told.npos) << told;
}

TEST_F(CliFit, CalibrationIsAChoice) {
  write("data.csv", sample_table(400));
  for (const char* kind : {"none", "scale", "interval", "conformal"}) {
    const Outcome outcome = run(fit_words({{"calibrate", kind}}, {}, "data.csv", kind));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Json calibration = description(kind)["calibration"];
    EXPECT_EQ(calibration.empty(), std::string(kind) == "none") << kind << ": " << calibration;
    EXPECT_EQ(outcome.err.find("\ncalibration: ") != std::string::npos, std::string(kind) != "none")
        << outcome.err;
    EXPECT_EQ(outcome.err.find("(conformal)") != std::string::npos, std::string(kind) == "conformal")
        << outcome.err;
    // Half of the validation rows are set apart, and none of them is trained on.
    const int trained_on = description(kind)["training_rows"];
    EXPECT_EQ(trained_on < 400, std::string(kind) == "conformal") << kind << ": " << trained_on;
  }
}

// The end of a fit, info and its JSON say the same.
TEST_F(CliFit, SaysHowGoodTheModelIs) {
  write("data.csv", sample_table(400));
  const std::string told = run(fit_words()).err, info = output({"info", "model"});
  const Json report = description()["fit_report"];
  EXPECT_EQ(report["rows"], 80);
  const std::string crps =
      fmt::format("CRPS           {:.4g}, skill ", report["targets"]["y"]["crps"].get<double>());
  for (const std::string& text : {told, info})
    for (const std::string& part : {std::string("80 validation rows\n"), crps, std::string("MAE of median  "),
                                    std::string("90% interval   covers ")})
      EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
  output(fit_words({{"valid-fraction", "0"}}));
  EXPECT_NE(output({"info", "model"}).find("not estimated, because all rows were used for training\n"),
            std::string::npos);
}

TEST_F(CliFit, TheNextCommandCanBeCopied) {
  write("data.csv", sample_table(60));
  const std::string told = run(fit_words({}, {}, "data.csv", "my model")).err;
  EXPECT_NE(told.find("saved my model\nnext: mirrorball predict 'my model' NEW.csv\n"), told.npos) << told;
}

TEST_F(CliFit, ReplacesAnOldModel) {
  write("model", "something older and longer than nothing");
  make_model();
  EXPECT_EQ(files().size(), 2u);
  output({"info", "model"});
}

// expect_refused sees to it that no file is changed.
TEST_F(CliFit, DoesNotOverwriteWhatItReads) {
  write("data.csv", sample_table(120));
  write("valid.csv", sample_table(120));
  std::filesystem::create_symlink("data.csv", folder() + "/link");
  expect_refused(fit_words({}, {}, "data.csv", "data.csv"),
                 {"--out data.csv", "would overwrite the input data.csv"});
  expect_refused(fit_words({}, {}, "data.csv", "link"), {"--out link", "would overwrite the input data.csv"});
  expect_refused(fit_words({}, {"--valid", "valid.csv"}, "data.csv", "./valid.csv"),
                 {"would overwrite the input valid.csv"});
  make_model();
  for (const char* verb : {"predict", "report"})
    for (const char* out : {"model", "data.csv", "link"})
      expect_refused({verb, "model", "data.csv", "--out", out}, {"--out", out, "would overwrite"});
  expect_refused(
      {"explain", "model", "data.csv", "--row", "0", "--background", "valid.csv", "--out", "valid.csv"},
      {"would overwrite the input valid.csv"});
  expect_refused({"functions", "model", "--vary", "a", "--from", "0", "--to", "1", "--out", "model"},
                 {"would overwrite the input model"});
}

}  // namespace
}  // namespace mirrorball::cli_test
