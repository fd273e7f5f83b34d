#include "model/split_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reference/refusal.h"

namespace mirrorball {
namespace {

/// Rows of a day (three rows each, the days in no order), a group and numbers.
Table days(std::size_t rows, std::size_t groups = 10) {
  std::vector<double> day(rows), x(rows), y(rows);
  std::vector<std::string> group(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    day[i] = static_cast<double>(i * 7 % rows / 3);
    x[i] = static_cast<double>(i % 5);
    y[i] = static_cast<double>(i % 9);
    group[i] = "g" + std::to_string(i % groups);
  }
  Table table;
  table.add_numbers("day", day);
  table.add_categories("group", group);
  table.add_numbers("x", x);
  table.add_numbers("y", y);
  return table;
}

train::TrainingRows split(Table table, const Roles& roles, const Options& options = {}) {
  train::TrainingRows rows;
  model::split_rows({std::move(table), std::nullopt}, roles, options, rows);
  return rows;
}

Roles by_day() {
  Roles roles{{"y"}, "", {}};
  roles.valid_by = "day";
  return roles;
}

Roles by_group() {
  Roles roles{{"y"}, "", {}};
  roles.group = "group";
  return roles;
}

TEST(SplitRows, TheLastRowsValidate) {
  const Table table = days(300);
  const train::TrainingRows rows = split(days(300), by_day());
  EXPECT_EQ(rows.valid.size(), 60u);
  EXPECT_EQ(rows.train.size(), 240u);
  double last = 0, first = 1e9;
  for (const rows::RowNumber row : rows.train) last = std::max(last, table.number(row, 0));
  for (const rows::RowNumber row : rows.valid) first = std::min(first, table.number(row, 0));
  EXPECT_LT(last, first) << "a day is on one side";
}

TEST(SplitRows, RowsOfOneTimeStayTogether) {
  Table table;
  std::vector<double> year(100), y(100);
  for (std::size_t i = 0; i < 100; ++i) year[i] = i < 65 ? 2020 : i < 85 ? 2021 : 2022;
  table.add_numbers("day", year);
  table.add_numbers("y", y);
  Options options;
  options.valid_fraction = 0.16;
  options.min_valid = 0;
  EXPECT_EQ(split(table.slice(0, 100), by_day(), options).valid.size(), 15u);
  options.valid_fraction = 0.02;
  EXPECT_EQ(split(table.slice(0, 100), by_day(), options).valid.size(), 15u) << "some must validate";
  options.valid_fraction = 0.4;
  EXPECT_EQ(split(table.slice(0, 100), by_day(), options).valid.size(), 35u);
  options.valid_fraction = 0.9;
  EXPECT_EQ(split(table.slice(0, 100), by_day(), options).valid.size(), 35u) << "some must train";
}

TEST(SplitRows, GroupsStayTogether) {
  const Table table = days(400, 40);
  std::set<std::set<std::int32_t>> splits;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Options options;
    options.seed = seed;
    const train::TrainingRows rows = split(days(400, 40), by_group(), options);
    std::set<std::int32_t> train, valid;
    for (const rows::RowNumber row : rows.train) train.insert(table.code(row, 1));
    for (const rows::RowNumber row : rows.valid) valid.insert(table.code(row, 1));
    EXPECT_EQ(valid.size(), 8u);
    EXPECT_EQ(train.size(), 32u);
    for (const std::int32_t group : valid) EXPECT_FALSE(train.count(group));
    splits.insert(valid);
  }
  EXPECT_GT(splits.size(), 3u) << "the seed chooses the groups";
}

TEST(SplitRows, FewGroupsHoldOutASmallOne) {
  std::vector<std::string> group(100, "large");
  for (std::size_t i = 0; i < 30; ++i) group[i] = "small";
  Table table;
  table.add_categories("group", group);
  table.add_numbers("y", std::vector<double>(100, 1));
  EXPECT_EQ(split(std::move(table), by_group()).valid.size(), 30u);
}

TEST(SplitRows, ConformalRowsAreGroupsOfTheirOwn) {
  const Table table = days(400, 40);
  Options options;
  options.calibrate = Calibrate::kConformal;
  const train::TrainingRows rows = split(days(400, 40), by_group(), options);
  std::set<std::int32_t> valid, conformal;
  for (const rows::RowNumber row : rows.valid) valid.insert(table.code(row, 1));
  for (const rows::RowNumber row : rows.conformal) conformal.insert(table.code(row, 1));
  EXPECT_EQ(valid.size(), 4u);
  EXPECT_EQ(conformal.size(), 4u);
  for (const std::int32_t group : valid) EXPECT_FALSE(conformal.count(group));
}

TEST(SplitRows, WhatCannotBeSplitIsRefused) {
  const auto refused = [](Table table, const Roles& roles) {
    return refusal([&] { split(std::move(table), roles); });
  };
  EXPECT_NE(refused(days(60, 1), by_group()).find("same in all 60 rows"), std::string::npos);
  Roles nowhere = by_day();
  nowhere.valid_by = "time";
  EXPECT_NE(refused(days(60), nowhere).find("'time'"), std::string::npos);
  nowhere.valid_by = "group";
  EXPECT_NE(refused(days(60), nowhere).find("contains text"), std::string::npos);
  Table constant = days(60);
  constant.add_numbers("same", std::vector<double>(60, 4));
  nowhere.valid_by = "same";
  EXPECT_NE(refused(std::move(constant), nowhere).find("is 4 in all 60 rows"), std::string::npos);
  Table missing = days(60);
  std::vector<double> time(60, 4);
  time[7] = NAN;
  missing.add_numbers("time", time);
  nowhere.valid_by = "time";
  EXPECT_NE(refused(std::move(missing), nowhere).find("first in data row 8"), std::string::npos);
}

}  // namespace
}  // namespace mirrorball
