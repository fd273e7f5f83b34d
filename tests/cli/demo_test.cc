#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliDemo : public CliTest {};

/// docs/cli.md shows what the demo prints in the folder `demo`: each line up to its first digit.
void expect_documented(const std::string& printed, const std::string& folder) {
  std::ifstream file(MIRRORBALL_SAVED_MODELS "/../../docs/cli.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(folder); at != line.npos) line.replace(at, folder.size(), "demo");
    const std::string words = "\n    " + line.substr(0, line.find_first_of("0123456789"));
    EXPECT_NE(page.find(words), page.npos) << "docs/cli.md lacks:" << words;
  }
}

TEST_F(CliDemo, LeavesDataModelPredictionsAndPicture) {
  const std::string text = output({"demo", "--out", "deep/folder"});
  for (const char* part : {"Crossing curves: 3000 rows", "Jensen-Shannon", "Hellinger", "Wasserstein",
                           "energy", "Files written to deep/folder:", "deep/folder/crossing.mirrorball"})
    EXPECT_NE(text.find(part), text.npos) << text << "lacks " << part;
  expect_documented(text, "deep/folder");
  EXPECT_EQ(Csv(read("deep/folder/crossing.csv")).rows.size(), 3000u);
  const Csv predictions(read("deep/folder/predictions.csv"));
  EXPECT_EQ(predictions.header,
            (Words{"x", "y_mean", "y_sd", "y_q0.05", "y_q0.25", "y_q0.5", "y_q0.75", "y_q0.95"}));
  EXPECT_EQ(predictions.rows.size(), 100u);
  EXPECT_NE(read("deep/folder/crossing.svg").find("<svg"), std::string::npos);
  const bool pages =
      text.find("open deep/folder/report.html") != text.npos;  // not where it was built without them
  ASSERT_EQ(exists("deep/folder/report.html"), pages);
  if (pages) {
    EXPECT_NE(read("deep/folder/report.html").find("\"title\":\"Crossing curves\""), std::string::npos);
  }
  const Json distances = Json::parse(
      output({"distance", "deep/folder/crossing.mirrorball", "--distribution", "crossing", "--json"}));
  EXPECT_LT(distances["wasserstein"]["mean"], 0.06);
  EXPECT_LT(distances["jsd"]["mean"], 0.25);
}

TEST_F(CliDemo, AFolderThatCannotBeIsRefused) {
  write("file", "in the way");
  expect_refused({"demo", "--out", "file/demo"}, {"file/demo"});
}

}  // namespace
}  // namespace mirrorball::cli_test
