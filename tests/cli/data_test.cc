#include <fmt/format.h>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliData : public CliTest {};

TEST_F(CliData, FourLawsAsInThePaper) {
  const std::map<std::string, std::pair<Words, std::size_t>> laws = {{"unimodal", {{"x", "y"}, 200}},
                                                                     {"crossing", {{"x", "y"}, 3000}},
                                                                     {"squares", {{"x", "y"}, 600}},
                                                                     {"arcs", {{"x", "y1", "y2"}, 3000}}};
  for (const auto& [law, expected] : laws) {
    const Csv csv(output({"data", law}));
    EXPECT_EQ(csv.header, expected.first) << law;
    EXPECT_EQ(csv.rows.size(), expected.second) << law;
  }
}

TEST_F(CliData, RowsAndSeedDecide) {
  for (const char* law : {"unimodal", "crossing", "squares", "arcs"}) {
    const std::string first = output({"data", law, "--rows", "50", "--seed", "7"});
    EXPECT_EQ(Csv(first).rows.size(), 50u);
    EXPECT_EQ(output({"data", law, "--rows", "50", "--seed", "7"}), first);
    EXPECT_NE(output({"data", law, "--rows", "50", "--seed", "8"}), first);
    EXPECT_EQ(output({"data", law, "--rows", "50"}), output({"data", law, "--rows", "50", "--seed", "0"}));
  }
}

TEST_F(CliData, BadQuestionsAreRefused) {
  expect_refused({"data", "crosing"}, {"'crosing'", "did you mean 'crossing'?", "unimodal"});
  expect_refused({"data"}, {"NAME is missing"});
  expect_refused({"data", "arcs", "--rows", "0"}, {"--rows", "0"});
  expect_refused({"data", "arcs", "--rows", "many"}, {"--rows", "many"});
}

class CliInfo : public CliTest {};

TEST_F(CliInfo, TellsAboutTheMachine) {
  const std::string text = output({"info"});
  for (const char* part : {"mirrorball ", "CPU level", "products", "threads"})
    EXPECT_NE(text.find(part), text.npos) << text;
  const Json json = Json::parse(output({"info", "--json"}));
  for (const char* key : {"version", "cpu", "gemm", "threads"}) EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_GE(json["threads"], 1);
}

TEST_F(CliInfo, TheLevelCanBeForcedDownwards) {
  const Json json = Json::parse(output({"info", "--json"}, {.added = {{"MIRRORBALL_CPU", "baseline"}}}));
  EXPECT_EQ(json["cpu"], "baseline");
  expect_refused({"info"}, {"MIRRORBALL_CPU", "quantum"}, {.added = {{"MIRRORBALL_CPU", "quantum"}}});
}

TEST_F(CliInfo, TellsAboutAModel) {
  make_model({{"networks", "2"}, {"learning-rate", "0.005"}});
  const std::string text = output({"info", "model"});
  for (const char* part : {"model\n", "targets        y\n", "4: a, b, color, w\n", "120 rows", "2 x ",
                           "width 8", "score ", "learning_rate      0.005  *\n", "activation         relu\n"})
    EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
}

TEST_F(CliInfo, NamesNumbersThatEnterByTheirValueToo) {
  std::string table = "flag,even,y\n";
  for (int i = 0; i < 2500; ++i) table += fmt::format("{},{},{}\n", i % 9 == 0 ? 1 : 0, i, i % 7);
  write("data.csv", table);
  make_model({{"calibrate", "none"}});
  const std::string text = output({"info", "model"});
  EXPECT_NE(text.find("by value too   1: flag\n"), text.npos) << text << description()["features"];
}

TEST_F(CliInfo, JsonIsTheHeaderOfTheFile) {
  make_model({{"networks", "2"}});
  const Json json = description();
  for (const char* key :
       {"mirrorball", "training_rows", "networks", "targets", "features", "options", "history"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["history"].size(), 2u);
  EXPECT_EQ(json["history"][1]["valid"].size(), 2u);
  EXPECT_EQ(json["targets"][0]["name"], "y");
  EXPECT_EQ(json["features"][2]["categories"].size(), 3u);
}

TEST_F(CliInfo, VersionAndHelpSucceed) {
  EXPECT_EQ(output({"--version"}).find("mirrorball "), 0u);
  const std::string help = output({"--help"});
  for (const char* verb : {"fit", "predict", "score", "functions", "distance", "data", "info", "demo"}) {
    EXPECT_NE(help.find(verb), help.npos) << verb;
    EXPECT_NE(output({verb, "--help"}).find("Usage: mirrorball " + std::string(verb)), std::string::npos);
  }
}

}  // namespace
}  // namespace mirrorball::cli_test
