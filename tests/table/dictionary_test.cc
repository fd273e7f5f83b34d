#include "table/dictionary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "table/keyed_hash.h"

namespace mirrorball::table_test {
namespace {

TEST(Dictionary, NumbersTextsInOrderOfAppearance) {
  table::Dictionary dictionary;
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.code(""), 1);
  EXPECT_EQ(dictionary.code("a"), 2);
  EXPECT_EQ(dictionary.code("b"), 0);
  EXPECT_EQ(dictionary.texts(), (std::vector<std::string>{"b", "", "a"}));
  dictionary.clear();
  EXPECT_TRUE(dictionary.texts().empty());
  EXPECT_EQ(dictionary.code("a"), 0);
}

TEST(Dictionary, TellsManyTextsOfAllLengthsApart) {
  table::Dictionary dictionary;
  const auto text = [](int i) {
    return std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i);
  };
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(dictionary.code(text(i)), i);
  for (int i = 0; i < 50000; ++i) ASSERT_EQ(dictionary.code(text(i)), i);
}

/// Sixteen bytes that all had one hash in version 0.1, which multiplied their words into each other without a
/// key: the second word undoes what the first did.
std::string crafted(std::uint64_t first) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  const std::uint64_t second = std::rotl((16 * kOdd ^ first) * kOdd, 29);
  std::string text(16, '\0');
  std::memcpy(text.data(), &first, 8);
  std::memcpy(text.data() + 8, &second, 8);
  return text;
}

TEST(Dictionary, CraftedTextsDoNotCollide) {
  table::Dictionary dictionary;
  constexpr int kTexts = 20000;
  for (int i = 0; i < kTexts; ++i) ASSERT_EQ(dictionary.code(crafted(static_cast<std::uint64_t>(i))), i);
  EXPECT_LT(dictionary.longest_search(), 300u) << "of " << kTexts;
}

// Made with an implementation of its own, which gives the paper's 0xa129ca6149be45e5 with 2 and 4 rounds.
TEST(KeyedHash, IsSipHash) {
  std::string text;
  for (char c = 0; c < 16; ++c) text += c;
  const auto hash = [&](std::size_t size) {
    return table::keyed_hash(std::string_view(text).substr(0, size), 0x0706050403020100, 0x0f0e0d0c0b0a0908);
  };
  EXPECT_EQ(hash(0), 0xabac0158050fc4dcu);
  EXPECT_EQ(hash(7), 0xd3927d989bb11140u);
  EXPECT_EQ(hash(8), 0x369095118d299a8eu);
  EXPECT_EQ(hash(15), 0xd320d86d2a519956u);
  EXPECT_EQ(hash(16), 0xcc4fdd1a7d908b66u);
}

}  // namespace
}  // namespace mirrorball::table_test
