#include "table/other_forms.h"

#include <gtest/gtest.h>

namespace mirrorball::table_test {
namespace {

TEST(OtherForms, Numbers) {
  for (const char* text : {"$5.74", "1,234", "1,234.50", "1.234.567,8", "12%", "12 %", "-1,5", "3 000",
                           "1'000.5", "\xe2\x82\xac 7", "7\xe2\x82\xac", "0,5"})
    EXPECT_TRUE(table::number_in_another_form(text)) << text;
  for (const char* text : {"5.74", "", "$", "A-17", "1.2.3", "1,23,456", "555 1234", "12345-6789", "1,",
                           "5 km", "12:30", "29.02.2024", "1 2"})
    EXPECT_FALSE(table::number_in_another_form(text)) << text;
}

TEST(OtherForms, Dates) {
  for (const char* text :
       {"29.02.2024", "2/29/2024", "02/29/24", "2024/2/29", "29-02-2024", "01/31/2024 01:15:25 AM",
        "29.2.2024, 13:30", "29 Feb 2024", "Feb 29, 2024", "29-February-2024", "29-Feb-24"})
    EXPECT_TRUE(table::date_in_another_form(text)) << text;
  for (const char* text : {"", "2024", "29.13.2024", "31/31/2024", "1.10.2", "555-123-4567", "10-12-14 x2",
                           "A/1/2024", "May the 4th", "12.5.2024b", "192.168.1.1"})
    EXPECT_FALSE(table::date_in_another_form(text)) << text;
}

}  // namespace
}  // namespace mirrorball::table_test
