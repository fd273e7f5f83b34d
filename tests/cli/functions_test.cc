#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

class CliFunctions : public CliTest {
 protected:
  CliFunctions() { make_model({{"ignore", "w"}}); }
  Words words(const Words& more) const {
    Words all = {"functions", "model", "--vary", "a", "--from", "-1", "--to", "3"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(CliFunctions, WritesOnePointALine) {
  const Csv csv(output(words({"--points", "5", "--count", "3"})));
  EXPECT_EQ(csv.header, (Words{"function", "a", "y"}));
  ASSERT_EQ(csv.rows.size(), 15u);
  for (std::size_t row = 0; row < 15; ++row) {
    EXPECT_EQ(std::stod(csv.rows[row][0]), static_cast<double>(row / 5 + 1));
    EXPECT_EQ(std::stod(csv.rows[row][1]), -1.0 + static_cast<double>(row % 5));
  }
}

TEST_F(CliFunctions, WithoutFlagsTenFunctionsOfAHundredPoints) {
  EXPECT_EQ(Csv(output(words({}))).rows.size(), 1000u);
}

TEST_F(CliFunctions, SeedDecidesTheFunctions) {
  const std::string first = output(words({"--seed", "1"}));
  EXPECT_EQ(output(words({"--seed", "1"})), first);
  EXPECT_NE(output(words({"--seed", "2"})), first);
}

TEST_F(CliFunctions, FileAndStandardOutputAreTheSame) {
  EXPECT_EQ(output(words({"--out", "functions.csv"})), "");
  EXPECT_EQ(read("functions.csv"), output(words({})));
}

// A function is one draw followed along the feature: at every point it is what `predict` draws there.
TEST_F(CliFunctions, FollowTheDrawsOfPredict) {
  write("row.csv", "color,a,b\nblue,99,0.5\n");
  write("points.csv", "a,b,color\n-1,0.5,blue\n1,0.5,blue\n3,0.5,blue\n");
  const Csv functions(output(words({"--at", "row.csv", "--points", "3", "--count", "4", "--seed", "8"})));
  const Csv draws(output({"predict", "model", "points.csv", "--samples", "4", "--seed", "8"}));
  for (std::size_t function = 0; function < 4; ++function)
    for (std::size_t point = 0; point < 3; ++point)
      EXPECT_EQ(functions.rows[function * 3 + point][2], draws.rows[point][function]);
}

TEST_F(CliFunctions, TheOtherFeaturesMatter) {
  write("blue.csv", "color,a,b\nblue,0,2\n");
  write("red.csv", "color,a,b\nred,0,-2\n");
  EXPECT_NE(output(words({"--at", "blue.csv"})), output(words({"--at", "red.csv"})));
}

TEST_F(CliFunctions, EveryTargetIsAColumn) {
  make_model({}, {"--target", "w"});
  EXPECT_EQ(Csv(output(words({"--points", "2"}))).header, (Words{"function", "a", "y", "w"}));
}

TEST_F(CliFunctions, BadQuestionsAreRefused) {
  write("two.csv", "color,a,b\nblue,0,2\nred,0,2\n");
  const auto vary = [](const char* column) {
    return Words{"functions", "model", "--vary", column, "--from", "0", "--to", "1"};
  };
  expect_refused(vary("A"), {"'A'", "did you mean 'a'?"});
  expect_refused(vary("color"), {"'color'", "numeric feature"});
  expect_refused(words({"--at", "two.csv"}), {"two.csv", "2 rows", "one row"});
  expect_refused(words({"--at", "missing.csv"}), {"missing.csv"});
  expect_refused(words({"--points", "0"}), {"--points", "0"});
  expect_refused(words({"--count", "-1"}), {"--count", "-1"});
  expect_refused({"functions", "model", "--vary", "a", "--from", "0"}, {"--to"});
  expect_refused({"functions", "model", "--vary", "a", "--from", "0", "--to", "x"}, {"--to", "x"});
  expect_refused({"functions", "model", "--vary", "a", "--from", "0", "--to", "inf"}, {"--to", "inf"});
}

}  // namespace
}  // namespace mirrorball::cli_test
