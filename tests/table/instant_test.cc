#include "table/instant.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

TEST(Instant, DatesAndTimes) {
  EXPECT_EQ(table::seconds_since_1970("1970-01-01"), 0);
  EXPECT_EQ(table::seconds_since_1970("1969-12-31"), -86400);
  EXPECT_EQ(table::seconds_since_1970("2024-02-29"), 1709164800);
  EXPECT_EQ(table::seconds_since_1970("2024-02-29T13:30"), 1709164800 + 13.5 * 3600);
  EXPECT_EQ(table::seconds_since_1970("2024-02-29 13:30:05"), 1709164800 + 13.5 * 3600 + 5);
  EXPECT_DOUBLE_EQ(*table::seconds_since_1970("2024-02-29 13:30:05.250000"), 1709164800 + 13.5 * 3600 + 5.25);
}

TEST(Instant, OffsetsFromUtc) {
  const double noon = 1709164800 + 12 * 3600;
  for (const char* text : {"2024-02-29T12:00Z", "2024-02-29 12:00:00+00:00", "2024-02-29T13:30+01:30",
                           "2024-02-29T13:30+0130", "2024-02-29T04:00:00.0-08", "2024-03-01T02:00+14:00"})
    EXPECT_EQ(table::seconds_since_1970(text), noon) << text;
}

TEST(Instant, EverythingElseIsNone) {
  for (const char* text : {"",
                           "2024",
                           "2024-02",
                           "2024-2-29",
                           "24-02-29",
                           "2023-02-29",
                           "2024-13-01",
                           "2024-00-01",
                           "2024-01-00",
                           "2024/02/29",
                           "29.02.2024",
                           "2024-02-29x",
                           "2024-02-29T",
                           "2024-02-29 ",
                           "2024-02-29T24:00",
                           "2024-02-29T12",
                           "2024-02-29T12:60",
                           "2024-02-29T12:00:60",
                           "2024-02-29T12:00:00.",
                           "2024-02-29T12:00+",
                           "2024-02-29T12:00+1",
                           "2024-02-29T12:00+01:",
                           "2024-02-29T12:00Z1",
                           "-2024-02-29"})
    EXPECT_EQ(table::seconds_since_1970(text), std::nullopt) << text;
}

TEST(Instant, AgreesWithTheSystemsCalendar) {
  std::mt19937_64 bits(5);
  std::uniform_int_distribution<std::time_t> any(-62135596800, 253402300799);  // years 1 to 9999
  for (int i = 0; i < 2000; ++i) {
    const std::time_t second = any(bits);
    std::tm parts{};
    gmtime_r(&second, &parts);
    const std::string text =
        fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                    parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    ASSERT_EQ(table::seconds_since_1970(text), static_cast<double>(second)) << text;
  }
}

TEST(Instant, TextIsAsFineAsATableKeepsIt) {
  const double midnight = 1709164800, noon = midnight + 12 * 3600, day = 86400;
  EXPECT_EQ(table::instant_text(midnight, 365 * day), "2024-02-29");
  EXPECT_EQ(table::instant_text(midnight, 0), "2024-02-29");
  EXPECT_EQ(table::instant_text(noon + 5, 365 * day), "2024-02-29 12:00");
  EXPECT_EQ(table::instant_text(noon + 5, 3 * day), "2024-02-29 12:00:05");
  EXPECT_EQ(table::instant_text(midnight + day - 1, 3 * day), "2024-02-29 23:59:59");
  EXPECT_EQ(table::instant_text(-1, 10), "1969-12-31 23:59:59");
  EXPECT_EQ(table::instant_text(253402214400, 10), "9999-12-31");
  for (const double no_date : {253402300800.0, -62135700000.0, -2e11, 1e30})
    EXPECT_EQ(table::instant_text(no_date, 365 * day), fmt::format("{:g}", no_date));
  EXPECT_TRUE(table::told_by_the_day(365 * day));
  EXPECT_FALSE(table::told_by_the_day(30 * day));
}

TEST(Instant, DatesGoThroughATableAndBack) {
  std::mt19937_64 bits(6);
  for (const auto& [first, last] : {std::pair("1969-01-01", "2037-12-31"),
                                    {"1900-01-01", "2100-01-01"},
                                    {"0001-01-01", "9999-12-31"},
                                    {"2039-01-01", "2060-01-01"}}) {
    const double low = *table::seconds_since_1970(first), high = *table::seconds_since_1970(last);
    std::uniform_int_distribution<int> any(0, static_cast<int>((high - low) / 86400));
    std::vector<double> days(500);
    for (double& one : days) one = low + 86400.0 * any(bits);
    days[0] = low;
    days[1] = high;
    Table table;
    table.add_numbers("day", days);
    for (std::size_t row = 0; row < days.size(); ++row)
      ASSERT_EQ(table::seconds_since_1970(table::instant_text(table.number(row, 0), high - low)), days[row])
          << row;
  }
}

TEST(CsvRead, KnowsColumnsOfDates) {
  const table::Content content =
      read_text("d,n,t,c,stray\n2024-02-29,1,true,2024-02-29,5\nNA,2,,x,2024-02-29\n,,,,6\n", {}, 16);
  std::vector<bool> dates;
  for (const table::Column& column : content.columns) dates.push_back(column.dates);
  EXPECT_EQ(dates, (std::vector<bool>{true, false, false, false, false}));
}

TEST(CsvRead, DatesAndTruthAreNumbersUnlessDeclared) {
  const std::string text = "d,b,m\n2024-02-29,true,true\n,FALSE,maybe\n 1970-01-02 ,\"True\",1970-01-01\n";
  EXPECT_EQ(dump(read_text(text)), "d: 1709164800 _ 86400\nb: 1 0 1\nm: 'true' 'maybe' '1970-01-01'\n");
  ReadOptions options;
  options.categories = {"d", "b"};
  EXPECT_EQ(dump(read_text(text, options)),
            "d: '2024-02-29' _ '1970-01-02'\nb: 'true' 'FALSE' 'True'\nm: 'true' 'maybe' '1970-01-01'\n");
}

}  // namespace
}  // namespace mirrorball::table_test
