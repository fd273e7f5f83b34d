#include "table/dictionary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mirrorball::table_test {
namespace {

TEST(Dictionary, NumbersTextsInOrderOfAppearance) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.code(""), 1);
  EXPECT_EQ(dictionary.code("a"), 2);
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.levels(), (std::vector<std::string>{"b", "", "a"}));
  dictionary.clear();
  EXPECT_TRUE(dictionary.levels().empty());
  EXPECT_EQ(dictionary.code("a"), 0);
}

TEST(Dictionary, TellsManyTextsOfAllLengthsApart) {
  Dictionary dictionary;
  const auto text = [](int i) {
    return std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i);
  };
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(dictionary.code(text(i)), i);
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(dictionary.code(text(i)), i);
}

}  // namespace
}  // namespace mirrorball::table_test
