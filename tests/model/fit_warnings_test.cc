#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "mirrorball/model.h"

namespace mirrorball {
namespace {

std::vector<ColumnWarning> warnings_of(const std::vector<double>& y) {
  Table table;
  table.add_numbers("x", std::vector<double>(y.size(), 1));
  table.add_numbers("y", y);
  return fit_warnings(table, {{"y"}, "", {}});
}

std::vector<double> sample(std::size_t rows, std::uint64_t seed, const std::function<double(Stream&)>& draw) {
  std::vector<double> values(rows);
  Stream random(seed, Purpose::kTest);
  for (double& value : values) value = draw(random);
  return values;
}

bool law_has_mean(const std::string& name) { return name != "Pareto 1" && name != "Cauchy"; }

double normal(Stream& random) { return random.normal(); }

TEST(FitWarnings, OneCorruptValueIsPointedOut) {
  for (const std::size_t rows : {40, 1000, 50000}) {
    std::vector<double> y = sample(rows, 1, normal);
    EXPECT_TRUE(warnings_of(y).empty());
    y[16] = 1e6;
    const std::vector<ColumnWarning> found = warnings_of(y);
    ASSERT_EQ(found.size(), 1u) << rows;
    EXPECT_EQ(found[0].column, "y");
    for (const char* part : {"'y'", "a value far from", "1e+06 in data row 17", "between -"})
      EXPECT_NE(found[0].text.find(part), std::string::npos) << found[0].text;
  }
}

TEST(FitWarnings, AFewCorruptValuesAreCounted) {
  std::vector<double> y = sample(5000, 2, normal);
  y[99] = -99999;
  y[400] = 1e6;
  y[401] = 2e6;
  const std::vector<ColumnWarning> found = warnings_of(y);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].text.find("3 values far from"), std::string::npos) << found[0].text;
  EXPECT_NE(found[0].text.find("in data row 100 and 2 more"), std::string::npos) << found[0].text;
}

/// Tails as heavy as those of prices, incomes, claims and waiting times, three hundred tables of each. The
/// last two have no mean: there the farthest value is sometimes far indeed.
TEST(FitWarnings, HeavyTailsAreNoErrors) {
  const std::vector<std::pair<const char*, std::function<double(Stream&)>>> laws = {
      {"normal", normal},
      {"uniform", [](Stream& random) { return random.uniform_double(); }},
      {"exponential", [](Stream& random) { return -std::log(1 - random.uniform_double()); }},
      {"prices", [](Stream& random) { return std::round(180000 * std::exp(0.4 * random.normal())); }},
      {"lognormal", [](Stream& random) { return std::exp(2 * random.normal()); }},
      {"very lognormal", [](Stream& random) { return std::exp(3 * random.normal()); }},
      {"few values", [](Stream& random) { return static_cast<double>(random.below(5)); }},
      {"mostly zero",
       [](Stream& random) { return random.below(10) ? 0.0 : std::exp(7 + 1.5 * random.normal()); }},
      {"one of two", [](Stream& random) { return static_cast<double>(random.below(2)); }},
      {"Pareto 1", [](Stream& random) { return 1 / (1 - random.uniform_double()); }},
      {"Cauchy", [](Stream& random) { return random.normal() / random.normal(); }}};
  for (const auto& [name, law] : laws) {
    std::size_t alarms = 0;
    for (const std::size_t rows : {60, 300, 3000})
      for (std::uint64_t seed = 0; seed < 100; ++seed) alarms += warnings_of(sample(rows, seed, law)).size();
    EXPECT_LE(alarms, law_has_mean(name) ? 0u : 2u) << name;
  }
}

TEST(FitWarnings, PricesWithAnErrorAreFoundToo) {
  std::vector<double> y =
      sample(2000, 3, [](Stream& random) { return std::round(180000 * std::exp(0.4 * random.normal())); });
  y[5] = 1e9;
  EXPECT_EQ(warnings_of(y).size(), 1u);
}

TEST(FitWarnings, AConstantTarget) {
  Table table;
  table.add_numbers("x", std::vector<double>{1, 2, 3});
  table.add_numbers("y", std::vector<double>{7, 7, 7});
  const std::vector<ColumnWarning> found = fit_warnings(table, {{"y"}, "", {}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "the target 'y' is 7 in all 3 rows, so there is nothing to learn");
}

TEST(FitWarnings, AFitThatLearntNothing) {
  FitReport report;
  report.rows = 50;
  report.targets = {{"good", 1, 1, 0.9, 1, 2}, {"bad", 2.5, 1, 0.9, 1, 2}, {"constant", 0, 0, 1, 0, 0}};
  const std::vector<std::string> found = weak_fits(report);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("'bad' are no better than the training distribution (CRPS 2.5 against 2)"),
            std::string::npos)
      << found[0];
}

TEST(FitWarnings, ATargetBesideOthersMayOweNothingToTheFeatures) {
  FitReport report;
  report.rows = 50;
  report.targets = {{"price", 1, 1, 0.9, 1, 2}, {"days", 9.776, 1, 0.9, 1, 9.744}};
  EXPECT_TRUE(weak_fits(report).empty());
  report.targets.erase(report.targets.begin());
  EXPECT_EQ(weak_fits(report).size(), 1u);
}

}  // namespace
}  // namespace mirrorball
