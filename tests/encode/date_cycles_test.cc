#include "encode/date_cycles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "encode/encoder.h"
#include "table/instant.h"

namespace mirrorball {
namespace {

using encode::DateCycles;
using Cycles = std::vector<DateCycle>;

constexpr double kDay = 86400, kHour = 3600;

double at(const char* text) { return *table::seconds_since_1970(text); }

/// `count` dates from the first of 2021 on.
std::vector<double> every(double step, std::size_t count) {
  std::vector<double> seconds(count);
  for (std::size_t i = 0; i < count; ++i) seconds[i] = at("2021-01-01") + step * static_cast<double>(i);
  return seconds;
}

Cycles found(const std::vector<double>& seconds) { return DateCycles::fit(seconds).cycles(); }

std::vector<float> numbers(const Cycles& cycles, const char* date) {
  const DateCycles made(cycles);
  std::vector<float> out(made.columns());
  made.write(at(date), out.data());
  return out;
}

void expect_near(const std::vector<float>& one, const std::vector<float>& other, double within) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], within) << i;
}

TEST(DateCycles, ResolutionAndSpanDecide) {
  EXPECT_EQ(found(every(kDay, 10)), Cycles{}) << "ten days";
  EXPECT_EQ(found(every(kDay, 30)), Cycles{DateCycle::kWeek});
  EXPECT_EQ(found(every(kDay, 700)), (Cycles{DateCycle::kWeek, DateCycle::kYear}));
  EXPECT_EQ(found(every(7 * kDay, 100)), Cycles{DateCycle::kYear}) << "always the same weekday";
  EXPECT_EQ(found(every(kHour, 20)), Cycles{}) << "less than a day";
  EXPECT_EQ(found(every(kHour, 100)), Cycles{DateCycle::kDay});
  EXPECT_EQ(found(every(7 * kHour, 2000)), (Cycles{DateCycle::kDay, DateCycle::kWeek, DateCycle::kYear}));
  EXPECT_EQ(found({at("2021-01-01")}), Cycles{});
}

TEST(DateCycles, MidnightsOfSummerAndWinterAreNoTimesOfDay) {
  std::vector<double> local = every(kDay, 300);
  for (std::size_t i = 0; i < local.size(); ++i) local[i] -= i > 90 && i < 270 ? 2 * kHour : kHour;
  EXPECT_EQ(found(local), Cycles{DateCycle::kWeek});
}

// Shares of a cycle round differently before and after 1992 and 2014: each half would look like another
// place.
TEST(DateCycles, RoundingAndLeapYearsMakeNoPlaces) {
  std::vector<double> mornings, tuesdays, first_days;
  for (int day = 0; day < 30 * 365; ++day) mornings.push_back(at("1990-01-01T08:00") + day * kDay);
  for (int week = -1000; week < 3000; ++week) tuesdays.push_back(at("1970-01-06") + 7 * week * kDay);
  for (int year = 0; year < 40; ++year)
    first_days.push_back(at((std::to_string(1990 + year) + "-01-01").c_str()));
  EXPECT_EQ(found(mornings), (Cycles{DateCycle::kWeek, DateCycle::kYear}));
  EXPECT_EQ(found(tuesdays), Cycles{DateCycle::kYear});
  EXPECT_EQ(found(first_days), Cycles{DateCycle::kWeek});
}

TEST(DateCycles, PlacesComeBack) {
  const float root = std::sqrt(2.0f);
  expect_near(numbers({DateCycle::kDay}, "2021-05-05T00:00"), {0, root}, 1e-6);
  expect_near(numbers({DateCycle::kDay}, "2021-05-05T06:00"), {root, 0}, 1e-6);
  expect_near(numbers({DateCycle::kDay}, "1969-05-05T18:00"), {-root, 0}, 1e-6);
  expect_near(numbers({DateCycle::kWeek}, "2021-05-03T23:59"), {0, root}, 1e-6);  // a Monday
  expect_near(numbers({DateCycle::kWeek}, "2021-05-05T01:00"), numbers({DateCycle::kWeek}, "2024-02-28"),
              1e-6);
  expect_near(numbers({DateCycle::kYear}, "2011-07-01"), numbers({DateCycle::kYear}, "2035-07-01"), 0.02);
  expect_near(numbers({DateCycle::kYear}, "2020-12-31"), numbers({DateCycle::kYear}, "2021-01-01"), 0.03);
}

encode::Encoder fitted(const Table& table) {
  ThreadPool pool(1);
  std::vector<std::uint32_t> rows(table.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  return encode::Encoder::fit(table, std::vector<std::string>{"when", "size"}, rows, {}, pool);
}

Table dated(std::vector<double> when, bool dates = true) {
  Table table;
  table.add_numbers("size", std::vector<double>(when.size(), 2.5));
  table.add_numbers("when", std::move(when));
  if (dates) table.set_dates(1);
  return table;
}

TEST(DateCycles, AnEncodedDateHasTheTrendAndItsCycles) {
  std::vector<double> when = every(kDay, 40);
  when.push_back(std::numeric_limits<double>::quiet_NaN());
  const encode::Encoder encoder = fitted(dated(when));
  EXPECT_EQ(encoder.features().size(), 2u);
  ASSERT_EQ(encoder.number_columns(), 2u + 2u);
  EXPECT_EQ(fitted(dated(when, false)).number_columns(), 2u) << "a number is no date";
  const Table later = dated({at("2022-03-07"), at("2022-03-08"), at("2021-01-05"), when.back()});
  rows::EncodedRows rows(4, 4, 1);
  encoder.bind(later).encode(0, 4, rows, 0);
  const float *monday = rows.numbers.data(), *tuesday = monday + 4, *known = monday + 8, *gap = monday + 12;
  EXPECT_EQ(monday[0], tuesday[0]) << "the trend ends with the training rows";
  EXPECT_NE(monday[2], tuesday[2]) << "the week does not";
  EXPECT_EQ(tuesday[2], known[2]);
  EXPECT_EQ(tuesday[3], known[3]);
  EXPECT_EQ(std::vector<float>(gap, gap + 4), std::vector<float>(4, 0.0f));
}

}  // namespace
}  // namespace mirrorball
