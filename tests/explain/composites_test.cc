#include "explain/composites.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explain/cells.h"

namespace mirrorball {
namespace {

constexpr std::int32_t kNothing = rows::EncodedRows::kNothing;

/// A number, a number with gaps and a category: two number columns, two code columns.
std::vector<encode::Feature> features() {
  std::vector<encode::Feature> all(3);
  all[1].missing = true;
  all[2].type = ColumnType::kCategory;
  all[2].categories = {"one", "other"};
  return encode::Encoder(all).features();
}

rows::EncodedRows rows(const std::vector<float>& numbers, const std::vector<std::int32_t>& codes) {
  rows::EncodedRows made(numbers.size() / 2, 2, 2);
  std::copy(numbers.begin(), numbers.end(), made.numbers.begin());
  std::copy(codes.begin(), codes.end(), made.codes.begin());
  return made;
}

std::vector<float> numbers_of(const rows::EncodedRows& made, std::size_t row) {
  return {made.numbers.begin() + 2 * row, made.numbers.begin() + 2 * row + 2};
}

std::vector<std::int32_t> codes_of(const rows::EncodedRows& made, std::size_t row) {
  return {made.codes.begin() + 2 * row, made.codes.begin() + 2 * row + 2};
}

using From = std::vector<std::uint8_t>;

shap::Composites composites_of(const std::vector<encode::Feature>& all, const rows::EncodedRows& x,
                               std::size_t row, const rows::EncodedRows& others) {
  return {all, x, row, others, shap::cell_numbers(all, others)};
}

TEST(Composites, CellsComeWholeFromOneRowOrTheOther) {
  const rows::EncodedRows x = rows({9, 9, 1, 2}, {9, 9, kNothing, 5}), others = rows({3, 0}, {4, 6});
  shap::Composites composites = composites_of(features(), x, 1, others);
  EXPECT_EQ(composites.varying(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(composites.number(From{1, 1, 1}, 0), 0u);
  EXPECT_EQ(composites.number(From{0, 1, 1}, 0), 1u);
  EXPECT_EQ(composites.number(From{1, 0, 1}, 0), 2u);
  EXPECT_EQ(composites.number(From{0, 0, 0}, 0), 3u);
  EXPECT_EQ(composites.waiting(), 4u);
  const rows::EncodedRows made = composites.take_new();
  EXPECT_EQ(composites.waiting(), 0u);
  ASSERT_EQ(made.rows, 4u);
  EXPECT_EQ(numbers_of(made, 0), (std::vector<float>{1, 2}));
  EXPECT_EQ(codes_of(made, 0), (std::vector<std::int32_t>{kNothing, 5}));
  EXPECT_EQ(numbers_of(made, 1), (std::vector<float>{3, 2}));
  EXPECT_EQ(codes_of(made, 1), (std::vector<std::int32_t>{kNothing, 5}));
  EXPECT_EQ(numbers_of(made, 2), (std::vector<float>{1, 0})) << "a gap is a number and a code together";
  EXPECT_EQ(codes_of(made, 2), (std::vector<std::int32_t>{4, 5}));
  EXPECT_EQ(numbers_of(made, 3), (std::vector<float>{3, 0}));
  EXPECT_EQ(codes_of(made, 3), (std::vector<std::int32_t>{4, 6}));
}

TEST(Composites, BothColumnsOfANumberGoTogether) {
  std::vector<encode::Feature> all(2);
  all[1].plain.emplace(encode::NumberTransform(Transform::kRankit, {0, 1}));
  rows::EncodedRows x(1, 3, 0), others(1, 3, 0);
  std::copy_n(std::vector<float>{1, 2, 3}.begin(), 3, x.numbers.begin());
  std::copy_n(std::vector<float>{1, 2, 7}.begin(), 3, others.numbers.begin());
  shap::Composites composites = composites_of(encode::Encoder(all).features(), x, 0, others);
  EXPECT_EQ(composites.varying(), (std::vector<std::size_t>{1})) << "values may differ where ranks do not";
  composites.number(From{0}, 0);
  const rows::EncodedRows made = composites.take_new();
  EXPECT_EQ(std::vector<float>(made.numbers.begin(), made.numbers.end()), (std::vector<float>{1, 2, 7}));
}

TEST(Composites, ADateGoesWithItsCycles) {
  std::vector<encode::Feature> all(2);
  all[0].cycles = encode::DateCycles({DateCycle::kWeek});
  rows::EncodedRows x(1, 4, 0), others(1, 4, 0);
  std::copy_n(std::vector<float>{1, 2, 3, 4}.begin(), 4, x.numbers.begin());
  std::copy_n(std::vector<float>{1, 2, 5, 6}.begin(), 4, others.numbers.begin());
  shap::Composites composites = composites_of(encode::Encoder(all).features(), x, 0, others);
  EXPECT_EQ(composites.varying(), (std::vector<std::size_t>{0})) << "weekdays may differ where ranks do not";
  composites.number(From{0}, 0);
  const rows::EncodedRows made = composites.take_new();
  EXPECT_EQ(std::vector<float>(made.numbers.begin(), made.numbers.end()), (std::vector<float>{1, 2, 5, 6}));
}

TEST(Composites, EqualRowsHaveOneNumber) {
  // The first background row shares the category with x, the others share the first number among themselves.
  const rows::EncodedRows x = rows({1, 2}, {kNothing, 5}),
                          others = rows({3, 7, 4, 7, 4, 8}, {-1, 5, -1, 6, -1, 6});
  shap::Composites composites = composites_of(features(), x, 0, others);
  const std::size_t whole = composites.number(From{1, 1, 1}, 0);
  for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(composites.number(From{1, 1, 1}, b), whole);
  EXPECT_EQ(composites.number(From{1, 1, 0}, 0), whole) << "the same category";
  EXPECT_EQ(composites.number(From{0, 1, 0}, 1), composites.number(From{0, 1, 0}, 2));
  EXPECT_NE(composites.number(From{0, 0, 0}, 1), composites.number(From{0, 0, 0}, 2));
  EXPECT_EQ(composites.number(From{1, 0, 1}, 0), composites.number(From{1, 0, 1}, 1));
  const std::size_t waiting = composites.waiting();
  EXPECT_EQ(composites.take_new(2).rows, 2u);
  EXPECT_EQ(composites.take_new().rows, waiting - 2);
  EXPECT_EQ(composites.number(From{1, 1, 0}, 0), whole) << "what was taken stays known";
  EXPECT_EQ(composites.waiting(), 0u);
}

TEST(Composites, PlayersAreTheFeaturesThatDiffer) {
  const rows::EncodedRows x = rows({1, 2}, {kNothing, 5}), others = rows({3, 2, 1, 7}, {-1, 5, -1, 6});
  const shap::Composites composites = composites_of(features(), x, 0, others);
  EXPECT_EQ(composites.varying(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(composites.differing(0), std::vector<std::uint32_t>{0});
  EXPECT_EQ(composites.differing(1), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Composites, FeaturesThatNeverDifferAreLeftOut) {
  const rows::EncodedRows x = rows({1, 2}, {kNothing, 5}), others = rows({1, 2, 1, 2}, {-1, 5, 3, 5});
  shap::Composites composites = composites_of(features(), x, 0, others);
  EXPECT_EQ(composites.varying(), std::vector<std::size_t>{1});
  EXPECT_EQ(composites.number(From{0}, 0), composites.number(From{1}, 1));
  composites.number(From{0}, 1);
  const rows::EncodedRows made = composites.take_new();
  ASSERT_EQ(made.rows, 2u);
  EXPECT_EQ(codes_of(made, 1), (std::vector<std::int32_t>{3, 5}));

  shap::Composites alone = composites_of(features(), x, 0, x);
  EXPECT_TRUE(alone.varying().empty());
  EXPECT_EQ(alone.number(From{}, 0), 0u);
}

}  // namespace
}  // namespace mirrorball
