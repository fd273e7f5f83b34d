#include "mirrorball/cross_validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/take_rows.h"
#include "model/toy.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

Table rows_of(std::size_t rows, std::size_t groups = 7) {
  std::vector<double> day(rows), y(rows);
  std::vector<std::string> group(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    day[i] = static_cast<double>(i * 7 % rows / 2);
    y[i] = static_cast<double>(i);
    group[i] = std::string(1, static_cast<char>('a' + i % groups));
  }
  Table table;
  table.add_numbers("day", day);
  table.add_categories("group", group);
  table.add_numbers("y", y);
  return table;
}

Roles roles_of(const std::string& valid_by, const std::string& group) {
  Roles roles{{"y"}, "", {}};
  roles.valid_by = valid_by;
  roles.group = group;
  return roles;
}

void expect_each_row_tested_once(const std::vector<Fold>& folds, std::size_t rows) {
  std::vector<int> tested(rows);
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.train.size() + fold.test.size(), rows);
    std::set<std::size_t> all(fold.train.begin(), fold.train.end());
    for (const std::size_t row : fold.test) {
      ++tested[row];
      EXPECT_FALSE(all.count(row));
    }
  }
  EXPECT_EQ(std::count(tested.begin(), tested.end(), 1), static_cast<std::ptrdiff_t>(rows));
}

TEST(CrossValidate, RandomFoldsFollowTheSeed) {
  const Table table = rows_of(101);
  const auto folds = [&](std::uint64_t seed) {
    return cross_validation_folds(table, roles_of("", ""), 4, seed);
  };
  expect_each_row_tested_once(folds(0), 101);
  for (const Fold& fold : folds(0)) EXPECT_NEAR(static_cast<double>(fold.test.size()), 25, 1);
  EXPECT_EQ(folds(3)[2].test, folds(3)[2].test);
  EXPECT_NE(folds(3)[2].test, folds(4)[2].test);
}

TEST(CrossValidate, GroupsAreInOneTest) {
  const Table table = rows_of(100, 7);
  const std::vector<Fold> folds = cross_validation_folds(table, roles_of("", "group"), 3, 0);
  expect_each_row_tested_once(folds, 100);
  std::set<std::int32_t> seen;
  std::size_t groups = 0;
  for (const Fold& fold : folds) {
    std::set<std::int32_t> own;
    for (const std::size_t row : fold.test) own.insert(table.code(row, 1));
    groups += own.size();
    seen.insert(own.begin(), own.end());
    EXPECT_GE(fold.test.size(), 28u);
  }
  EXPECT_EQ(groups, 7u);
  EXPECT_EQ(seen.size(), 7u);
}

TEST(CrossValidate, TimeGoesOn) {
  const Table table = rows_of(120);
  const std::vector<Fold> folds = cross_validation_folds(table, roles_of("day", ""), 3, 0);
  const auto range = [&](const std::vector<std::size_t>& rows) {
    const auto [low, high] = std::minmax_element(
        rows.begin(), rows.end(), [&](auto a, auto b) { return table.number(a, 0) < table.number(b, 0); });
    return std::pair(table.number(*low, 0), table.number(*high, 0));
  };
  ASSERT_EQ(folds.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(folds[i].test.size(), 30u);
    EXPECT_EQ(folds[i].train.size(), 30 * (i + 1));
    EXPECT_LT(range(folds[i].train).second, range(folds[i].test).first);
  }
}

TEST(CrossValidate, WhatCannotBeSplitIsRefused) {
  const Table table = rows_of(20, 3);
  const auto refused = [&](const Roles& roles, std::size_t folds) {
    return refusal([&] { cross_validation_folds(table, roles, folds, 0); });
  };
  EXPECT_NE(refused(roles_of("", ""), 1).find("at least 2"), std::string::npos);
  EXPECT_NE(refused(roles_of("", ""), 21).find("20 rows cannot make 21 folds"), std::string::npos);
  EXPECT_NE(refused(roles_of("", "group"), 4).find("3 groups"), std::string::npos);
  EXPECT_NE(refused(roles_of("day", ""), 15).find("too few values"), std::string::npos);
}

TEST(CrossValidate, TakenRowsAreTheRows) {
  const Table table = toy::table(50);
  const std::vector<std::size_t> rows = {3, 4, 40};
  const Table some = model::take_rows(table, rows);
  ASSERT_EQ(some.rows(), 3u);
  ASSERT_EQ(some.names(), table.names());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(some.number(i, 0), table.number(rows[i], 0), 1e-6);
    EXPECT_EQ(some.code(i, 2), table.code(rows[i], 2));
  }
}

/// The score of a fold is that of a model fitted to its training rows, on rows that it has not seen.
TEST(CrossValidate, AFoldIsAFit) {
  Options options = toy::options();
  options.epochs = 5;
  const Table table = toy::table(200);
  const Roles roles = {{"y"}, "", {"z", "weight"}};
  const std::vector<FoldScores> folds = cross_validate(table, roles, options, 2);
  ASSERT_EQ(folds.size(), 2u);
  const Fold first = cross_validation_folds(table, roles, 2, options.seed)[0];
  EXPECT_EQ(folds[0].training_rows, first.train.size());
  const Model model = fit(model::take_rows(table, first.train), roles, options);
  const Table test = model::take_rows(table, first.test);
  EXPECT_EQ(folds[0].scores.targets[0].crps.mean,
            score(model.predict(test), model.observed(test)).targets[0].crps.mean);
}

TEST(CrossValidate, EndsWhereItIsAsked) {
  Options options = toy::options();
  options.epochs = 5;
  const std::vector<FoldScores> folds = cross_validate(
      toy::table(200), toy::roles(), options, 3, [](std::size_t fold, const Progress&) { return fold < 2; });
  EXPECT_EQ(folds.size(), 1u);
}

}  // namespace
}  // namespace mirrorball
