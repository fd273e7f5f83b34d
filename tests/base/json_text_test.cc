#include "base/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace mirrorball {
namespace {

TEST(JsonText, MeasuresWithoutParsing) {
  const JsonExtent found = json_extent(R"({"a": [1, 2, {"b": 3}], "c,{[\"": 4})", 10);
  EXPECT_EQ(found.depth, 3u);
  EXPECT_EQ(found.values, 6u);
  EXPECT_EQ(found.longest_members, 2u);
  EXPECT_EQ(json_extent("", 10).depth, 0u);
  EXPECT_EQ(json_extent("]]}}\"", 10).depth, 0u);
  EXPECT_EQ(json_extent(R"("[[[[")", 10).depth, 0u);
  EXPECT_EQ(json_extent(std::string(1000, '['), 10).depth, 11u);
}

}  // namespace
}  // namespace mirrorball
