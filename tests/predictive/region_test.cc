#include "mirrorball/region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mirrorball/predictive.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

const std::vector<std::string> kTargets = {"y1", "y2", "SO2 (ppm)", "it's", "2", "n-1"};

bool inside(const std::string& text, const std::vector<double>& values) {
  return Region::parse(text, kTargets).contains(values);
}

void expect_refused(const std::string& text, std::initializer_list<std::string> parts) {
  const std::string words = refusal([&] { Region::parse(text, kTargets); });
  for (const std::string& part : parts)
    EXPECT_NE(words.find(part), words.npos) << "'" << text << "': " << words;
}

TEST(Region, EverythingHoldsEverything) {
  const Region all;
  EXPECT_TRUE(all.everything());
  EXPECT_TRUE(all.contains(std::vector<double>{1, NAN}));
  EXPECT_EQ(all.text(), "");
}

TEST(Region, ComparesTargetsWithNumbers) {
  const std::vector<double> at = {0.5, 2, 0, 0, 0, 0};
  for (const char* text : {"y1 < 0.6", "y1 <= 0.5", "y1 > -1e3", "y1>=.5", "y1 == 0.5", "y1 = +0.5",
                           "y1 != 0.4", "0.4 < y1", "2 >= y2", "y1 < y2", "y2 == 2.0"})
    EXPECT_TRUE(inside(text, at)) << text;
  for (const char* text : {"y1 < 0.5", "y1 <= 0.4", "y1 > 0.5", "y1 >= 0.6", "y1 == 0.6", "y1 != 0.5",
                           "0.6 <= y1", "y1 >= y2", "y2 < y2"})
    EXPECT_FALSE(inside(text, at)) << text;
}

TEST(Region, KnowsTheOneTargetItIsAbout) {
  const auto only = [](const char* text) { return Region::parse(text, kTargets).only_target(); };
  EXPECT_EQ(only("y2 > 0.2"), 1u);
  EXPECT_EQ(only("0.1 < y2 and y2 <= 3"), 1u);
  EXPECT_EQ(only("y2 > y1"), std::nullopt);
  EXPECT_EQ(only("y2 > 0 and y1 > 0"), std::nullopt);
  EXPECT_EQ(Region().only_target(), std::nullopt);
}

TEST(Region, AllComparisonsMustHold) {
  for (const char* text :
       {"y2 > 0.2 and y1 <= 3", "y2>0.2&&y1<=3", "y2 > 0.2 AND y1 <= 3", "0.2 < y2 & 3 >= y1"}) {
    EXPECT_TRUE(inside(text, {3, 0.3, 0, 0, 0, 0})) << text;
    EXPECT_FALSE(inside(text, {3, 0.2, 0, 0, 0, 0})) << text;
    EXPECT_FALSE(inside(text, {4, 0.3, 0, 0, 0, 0})) << text;
  }
}

TEST(Region, OrNotAndBrackets) {
  const auto at = [](double y1, double y2) { return std::vector<double>{y1, y2, 0, 0, 0, 0}; };
  for (const char* text : {"y1 < 0 or y1 > 3", "y1<0||y1>3", "not (0 <= y1 <= 3)", "!(y1 >= 0 && y1 <= 3)",
                           "NOT y1 >= 0 OR y1 > 3", "not not (y1 < 0 | y1 > 3)"}) {
    EXPECT_TRUE(inside(text, at(-1, 0))) << text;
    EXPECT_TRUE(inside(text, at(4, 0))) << text;
    EXPECT_FALSE(inside(text, at(1, 0))) << text;
  }
  EXPECT_TRUE(inside("y1 > 0 or y1 < 0 and y2 > 5", at(1, 0))) << "and binds closer than or";
  EXPECT_FALSE(inside("(y1 > 0 or y1 < 0) and y2 > 5", at(1, 0)));
  EXPECT_TRUE(inside("not y1 > 0 and y2 > 5", at(-1, 6))) << "not binds closest";
  EXPECT_FALSE(inside("not (y1 > 0 and y2 > 5)", at(1, 6)));
  EXPECT_TRUE(inside("((y1 != 1) and (not ((y2 = 2))))", at(0, 0)));
  EXPECT_EQ(Region::parse(" (y1 > 0) or y1 < -1 ", kTargets).text(), "(y1 > 0) or y1 < -1");
  EXPECT_EQ(Region::parse("not (y2 > 0 or y2 < -1)", kTargets).only_target(), 1u);
}

// All texts of a few comparisons joined at random, against the same in C++.
TEST(Region, AgreesWithTheSameInPlainLogic) {
  const std::vector<std::string> terms = {"y1 > 0", "y2 > 0", "y1 < y2"};
  for (int joins = 0; joins < 4; ++joins)
    for (int nots = 0; nots < 8; ++nots)
      for (const bool first : {true, false}) {
        const auto word = [&](int i) {
          return (nots >> i & 1 ? "not " : "") + terms[static_cast<std::size_t>(i)];
        };
        const auto join = [&](int i) { return joins >> i & 1 ? std::string(" or ") : std::string(" and "); };
        const std::string text = first ? "(" + word(0) + join(0) + word(1) + ")" + join(1) + word(2)
                                       : word(0) + join(0) + "(" + word(1) + join(1) + word(2) + ")";
        for (const double y1 : {-1.0, 1.0})
          for (const double y2 : {-2.0, 2.0}) {
            const auto term = [&](int i) {
              return (i == 0 ? y1 > 0 : i == 1 ? y2 > 0 : y1 < y2) != (nots >> i & 1);
            };
            const auto both = [&](int i, bool a, bool b) { return joins >> i & 1 ? a || b : a && b; };
            const bool expected = first ? both(1, both(0, term(0), term(1)), term(2))
                                        : both(0, term(0), both(1, term(1), term(2)));
            EXPECT_EQ(inside(text, {y1, y2, 0, 0, 0, 0}), expected) << text << " at " << y1 << ", " << y2;
          }
      }
}

TEST(Region, AnyNumberOfParts) {
  std::string text = "y1 > 0", either = "y1 < 0";
  for (int i = 0; i < 200'000; ++i) {
    text += " and y1>0";
    either += " or y1<0";
  }
  EXPECT_TRUE(inside(text, {1, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(inside(either, {1, 0, 0, 0, 0, 0}));
}

TEST(Region, ChainsCompareNeighbours) {
  EXPECT_TRUE(inside("0.1 < y1 <= 0.3", {0.3, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(inside("0.1 < y1 <= 0.3", {0.1, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(inside("0.1 < y1 <= 0.3", {0.31, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(inside("0 < y1 < y2 < 3 and y2 != 2", {0.1, 1, 0, 0, 0, 0}));
  EXPECT_FALSE(inside("0 < y1 < y2 < 3", {1, 0.1, 0, 0, 0, 0}));
}

TEST(Region, OddNamesStandInQuotes) {
  EXPECT_TRUE(inside("\"SO2 (ppm)\" > 5", {0, 0, 6, 0, 0, 0}));
  EXPECT_TRUE(inside("`SO2 (ppm)`>5 and 'it''s' < 1", {0, 0, 6, 0, 0, 0}));
  EXPECT_TRUE(inside("\"it's\" < 1", {0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(inside("'2' == 7", {0, 0, 0, 0, 7, 0})) << "a quoted number is a name";
  EXPECT_TRUE(inside("n-1 < 0", {0, 0, 0, 0, 0, -1})) << "there is no arithmetic";
}

TEST(Region, KeepsItsText) { EXPECT_EQ(Region::parse("  y1 <\t3 ", kTargets).text(), "y1 <\t3"); }

TEST(Region, ErrorsTellPlaceAndNames) {
  expect_refused("y3 > 0.2",
                 {"region \"y3 > 0.2\", character 1:", "unknown target 'y3'; the targets are y1, y2"});
  expect_refused("y1 > 0 and SO2 > 2", {"character 12:", "unknown target 'SO2'"});
  expect_refused("\"SO2 (pm)\" > 2", {"did you mean 'SO2 (ppm)'?"});
  expect_refused("\"ÄÖ\" > 2", {"character 1:"});
  expect_refused("'it''s' > 2 'ÄÖ'", {"character 13:", "or the end before 'ÄÖ'"});
  expect_refused("y1 => 2", {"character 4:", "'=>' is not a comparison", "<="});
  expect_refused("y1 > ", {"character 6:", "a target (y1, y2", "or a number"});
  expect_refused("y1 > and y2 > 3", {"character 6:", "not 'and'"});
  expect_refused("y1", {"character 1:", "a comparison such as y1 > 0.5"});
  expect_refused("y1 > 1 and", {"character 11:"});
  expect_refused("y1 > 1 y2 < 3", {"character 8:", "expected 'and', 'or' or the end before 'y2'"});
  expect_refused("1 < 2", {"both numbers", "y1, y2"});
  expect_refused("(y1 > 1", {"character 1:", "( is not closed"});
  expect_refused("y1 > 1) or y2 > 1", {"character 7:", "no ( for this )"});
  expect_refused("[y1 > 1]", {"character 1:", "'[' is not supported", "( and )"});
  expect_refused("()", {"character 2:", "expected a target"});
  expect_refused("not", {"character 4:", "expected a target"});
  expect_refused("y1 > 1 not y2 > 1", {"character 8:", "before 'not'"});
  expect_refused("y1 > 1 or or y2 > 1", {"character 11:", "not 'or'"});
  expect_refused("y1 > 1, y2 > 1", {"character 7:", "join comparisons by 'and' or 'or'"});
  expect_refused(std::string(200, '(') + "y1 > 1" + std::string(200, ')'),
                 {"character 101:", "100 brackets"});
  expect_refused("'y1 > 1", {"character 1:", "not closed"});
  expect_refused("y1 > 1e999", {"1e999", "too large"});
  expect_refused("y1 > 1.2.3", {"unknown target '1.2.3'"});
  expect_refused("y1 > inf", {"unknown target 'inf'"});
  expect_refused("y1 > nan", {"unknown target 'nan'"});
  expect_refused("", {"the region is empty", "y1 > 0.5"});
  expect_refused(" \t", {"the region is empty"});
}

TEST(Region, PointsHaveOneValuePerTarget) {
  const Region region = Region::parse("y1 > 0", kTargets);
  const std::string words = refusal([&] { region.contains(std::vector<double>{1, 2}); });
  EXPECT_NE(words.find("2 values"), words.npos) << words;
  EXPECT_NE(words.find("6 targets"), words.npos) << words;
}

TEST(Region, NaNIsInNoOrder) {
  EXPECT_FALSE(inside("y1 <= 1", {NAN, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(inside("y1 > 1", {NAN, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(inside("y1 != 1", {NAN, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(inside("not y1 > 1", {NAN, 0, 0, 0, 0, 0}));
}

TEST(Region, ProbabilityIsTheShareOfJointDraws) {
  Predictive forecast(2, 4, {"a", "b"});
  const std::vector<double> a = {1, 2, 3, 4}, b = {1, 0, 1, 0};
  std::copy(a.begin(), a.end(), forecast.row_samples(1, 0).begin());
  std::copy(b.begin(), b.end(), forecast.row_samples(1, 1).begin());
  EXPECT_EQ(forecast.probability(1, Region::parse("a > 1.5 and b == 1", forecast.target_names())), 0.25);
  EXPECT_EQ(forecast.probability(1, Region()), 1);
  EXPECT_EQ(forecast.probability(0, Region::parse("a > 0", forecast.target_names())), 0);
}

}  // namespace
}  // namespace mirrorball
