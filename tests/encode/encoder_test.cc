#include "encode/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plan/rules.h"

namespace mirrorball {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

Table small_table() {
  Table table;
  table.add_numbers("full", std::vector<double>{1, 2, 3, 4, 5, 6});
  table.add_numbers("gappy", std::vector<double>{kGap, 10, 20, kGap, 30, 40});
  table.add_categories("colour", std::vector<std::string>{"red", "blue", "blue", "", "blue", "red"});
  table.add_categories("shape", std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
  table.add_numbers("constant", std::vector<double>(6, 3.0));
  return table;
}

const std::vector<std::string> kNames = {"full", "gappy", "colour", "shape", "constant"};

std::vector<std::uint32_t> all_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

/// On each of the rows three times, so that no category is too rare.
encode::Encoder fitted(const Table& table, const std::vector<std::uint32_t>& given,
                       int max_categories = 1000) {
  ThreadPool pool(2);
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : given) rows.insert(rows.end(), plan::kFewestCategoryRows, row);
  Options options;
  options.max_categories = max_categories;
  return encode::Encoder::fit(table, kNames, rows, options, pool);
}

rows::EncodedRows encoded(const encode::Encoder& encoder, const Table& table) {
  rows::EncodedRows rows(table.rows(), encoder.number_columns(), encoder.code_columns());
  encoder.bind(table).encode(0, table.rows(), rows, 0);
  return rows;
}

TEST(Encoder, NumbersCategoriesAndGaps) {
  const Table table = small_table();
  const encode::Encoder encoder = fitted(table, all_rows(6));
  EXPECT_EQ(encoder.number_columns(), 3u);
  EXPECT_EQ(encoder.code_columns(), 3u);  // gappy, colour, shape
  EXPECT_EQ(encoder.learned_rows(), 1u + (2u + 1u) + 6u);
  const rows::EncodedRows rows = encoded(encoder, table);
  const encode::Feature& gappy = encoder.features()[1];
  const encode::Feature& colour = encoder.features()[2];
  EXPECT_EQ(colour.categories, (std::vector<std::string>{"blue", "red"}));  // most frequent first
  EXPECT_EQ(rows.numbers[1], 0.0f);
  EXPECT_EQ(rows.codes[0], gappy.missing_row());
  EXPECT_EQ(rows.codes[3], rows::EncodedRows::kNothing);
  EXPECT_EQ(rows.codes[0 * 3 + 1], colour.first_row + 1);
  EXPECT_EQ(rows.codes[1 * 3 + 1], colour.first_row);
  EXPECT_EQ(rows.codes[3 * 3 + 1], colour.missing_row());
  EXPECT_EQ(rows.numbers[2], 0.0f);  // constant
  EXPECT_NEAR(rows.numbers[3], encoder.features()[0].transform.forward(2), 1e-6);
}

/// An even number, its square with a gap, its cube, a constant and a category.
Table long_table(std::size_t count) {
  std::vector<double> even(count), square(count), cube(count);
  for (std::size_t i = 0; i < count; ++i) {
    even[i] = static_cast<double>(i);
    square[i] = i == 7 ? kGap : even[i] * even[i];
    cube[i] = even[i] * even[i] * even[i];
  }
  Table table;
  table.add_numbers("even", even);
  table.add_numbers("square", square);
  table.add_numbers("cube", cube);
  table.add_numbers("constant", std::vector<double>(count, 3.0));
  table.add_categories("colour", std::vector<std::string>(count, "red"));
  return table;
}

const std::vector<std::string> kLongNames = {"even", "square", "cube", "constant", "colour"};

encode::Encoder with_plain(const Table& table, const std::vector<std::string>& names, int most,
                           Transform transform = Transform::kAuto) {
  ThreadPool pool(1);
  Options options;
  options.plain_numbers = most;
  options.input_transform = transform;
  return encode::Encoder::fit(table, names, all_rows(table.rows()), options, pool);
}

TEST(Encoder, NumbersEnterByTheirValuesTooBehindTheOthers) {
  const Table table = long_table(2000);
  const encode::Encoder encoder = with_plain(table, kLongNames, 4);
  const rows::EncodedRows rows = encoded(encoder, table);
  const encode::Feature &square = encoder.features()[1], &cube = encoder.features()[2];
  ASSERT_EQ(rows.number_columns, 4u + 2u) << "the even number and the constant once";
  const float *eighth = rows.numbers.data() + 7 * 6, *ninth = rows.numbers.data() + 8 * 6;
  EXPECT_NEAR(ninth[1], square.transform.forward(64), 1e-6);
  EXPECT_NEAR(ninth[4], square.plain->forward(64), 1e-6);
  EXPECT_NEAR(ninth[5], cube.plain->forward(512), 1e-6);
  EXPECT_EQ(eighth[4], 0.0f) << "a gap";
  EXPECT_NEAR(eighth[5], cube.plain->forward(343), 1e-6);
}

TEST(Encoder, OnlyAFewNumbersOfManyRowsEnterByTheirValuesToo) {
  const Table table = long_table(2000);
  const auto added = [](const encode::Encoder& encoder) {
    return std::count_if(encoder.features().begin(), encoder.features().end(),
                         [](const encode::Feature& one) { return one.plain.has_value(); });
  };
  EXPECT_EQ(added(with_plain(table, kLongNames, 3)), 2) << "three numbers; the constant does not count";
  EXPECT_EQ(added(with_plain(table, kLongNames, 2)), 0);
  EXPECT_EQ(added(with_plain(table, kLongNames, 0)), 0);
  EXPECT_EQ(added(with_plain(table, {"cube", "colour", "constant"}, 4)), 0) << "one number alone";
  EXPECT_EQ(added(with_plain(long_table(1999), kLongNames, 4)), 0) << "few rows";
  EXPECT_EQ(added(with_plain(table, kLongNames, 4, Transform::kQuantile)), 3);
  EXPECT_EQ(added(with_plain(table, kLongNames, 4, Transform::kStandard)), 0) << "they already do";
}

/// Texts of 20 rows: "often" in 8 of them, "twice" in 2, "thrice" in 3, and seven that come once.
Table texts() {
  std::vector<std::string> kind(8, "often"), name(20);
  kind.insert(kind.end(), {"twice", "twice", "thrice", "thrice", "thrice"});
  for (const char* once : {"a", "b", "c", "d", "e", "f", "g"}) kind.push_back(once);
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = i < 9 ? "same" : std::to_string(i);
  Table table;
  table.add_categories("kind", kind);
  table.add_categories("name", name);
  return table;
}

TEST(Encoder, CategoriesOfFewRowsAreAsIfTheyHadNeverCome) {
  ThreadPool pool(1);
  const Table table = texts();
  const std::vector<std::string> names = {"kind", "name"};
  const encode::Encoder encoder = encode::Encoder::fit(table, names, all_rows(20), {}, pool);
  EXPECT_EQ(encoder.features()[0].categories, (std::vector<std::string>{"often", "thrice"}));
  EXPECT_TRUE(encoder.features()[1].categories.empty()) << "12 texts in 20 rows name the rows";
  EXPECT_EQ(encoder.code_columns(), 1u);
  EXPECT_EQ(encoder.learned_rows(), 2u);
  const rows::EncodedRows rows = encoded(encoder, table);
  EXPECT_EQ(rows.codes[0], 0);
  EXPECT_EQ(rows.codes[8], rows::EncodedRows::kNothing) << "twice";
  EXPECT_EQ(rows.codes[12], 1);
  EXPECT_EQ(rows.codes[19], rows::EncodedRows::kNothing);
}

TEST(Encoder, TextsThatNameTheRowsAreNoFeatures) {
  ThreadPool pool(1);
  const std::vector<std::string> names = {"name"};
  EXPECT_THROW(encode::Encoder::fit(texts(), names, all_rows(20), {}, pool), std::invalid_argument);
}

TEST(Encoder, IsFittedOnTheGivenRowsOnly) {
  const encode::Encoder encoder = fitted(small_table(), {1, 2, 4});
  EXPECT_FALSE(encoder.features()[1].missing);
  EXPECT_EQ(encoder.features()[2].categories, (std::vector<std::string>{"blue"}));
  EXPECT_EQ(encoder.features()[0].typical, 3.0);
  const rows::EncodedRows rows = encoded(encoder, small_table());
  // What training never had adds nothing: a gap, a level.
  EXPECT_EQ(encoder.code_columns(), 2u);
  EXPECT_EQ(rows.numbers[1], 0.0f);
  EXPECT_EQ(rows.codes[0], rows::EncodedRows::kNothing);
  EXPECT_EQ(rows.codes[3 * 2], rows::EncodedRows::kNothing);
}

TEST(Encoder, KeepsTheMostFrequentLevels) {
  const encode::Encoder encoder = fitted(small_table(), all_rows(6), 1);
  EXPECT_EQ(encoder.features()[2].categories, (std::vector<std::string>{"blue"}));
  EXPECT_EQ(encoder.features()[3].categories.size(), 1u);
}

/// A time far from 0, seconds apart, and a number around 0.
Table far_table() {
  std::vector<double> time, value;
  for (int i = 0; i < 1000; ++i) {
    time.push_back(1700000000 + 0.1 * (i * 7919 % 10000));
    value.push_back(std::sin(i));
  }
  Table table;
  table.add_numbers("time", time);
  table.add_numbers("value", value);
  return table;
}

TEST(Encoder, ARowMeansTheSameInAnyTable) {
  const Table train = far_table();
  ThreadPool pool(1);
  for (const Transform kind : {Transform::kAuto, Transform::kQuantile, Transform::kStandard}) {
    Options options;
    options.input_transform = kind;
    const encode::Encoder encoder =
        encode::Encoder::fit(train, std::vector<std::string>{"time", "value"}, all_rows(1000), options, pool);
    const double time = 1700000113.1, value = 0.1;
    const auto with = [&](std::vector<double> times, std::vector<double> values) {
      times.push_back(time);
      values.push_back(value);
      Table table;
      table.add_numbers("time", times);
      table.add_numbers("value", values);
      const rows::EncodedRows rows = encoded(encoder, table);
      const float* last = rows.numbers.data() + times.size() * rows.number_columns - rows.number_columns;
      return std::vector<float>(last, last + rows.number_columns);
    };
    const std::vector<float> alone = with({}, {});
    EXPECT_EQ(with({0}, {1e30}), alone);
    EXPECT_EQ(with({kGap, 1e38}, {0.1 + 1e-9, -1e-30}), alone);
    EXPECT_EQ(with(std::vector<double>(3000, 1700000113.2), std::vector<double>(3000, 0.10001)), alone);
    EXPECT_NE(with({1700000112}, {0.1})[0], 0.0f);
  }
}

TEST(Encoder, FindsColumnsByNameInAnyOrder) {
  const encode::Encoder encoder = fitted(small_table(), all_rows(6));
  Table other;
  other.add_numbers("extra", std::vector<double>{1});
  other.add_categories("shape", std::vector<std::string>{"never seen"});
  other.add_numbers("constant", std::vector<double>{999});
  other.add_categories("colour", std::vector<std::string>{"red"});
  other.add_numbers("gappy", std::vector<double>{20});
  other.add_numbers("full", std::vector<double>{2});
  const rows::EncodedRows rows = encoded(encoder, other);
  EXPECT_NEAR(rows.numbers[0], encoder.features()[0].transform.forward(2), 1e-6);
  EXPECT_EQ(rows.numbers[2], 0.0f);
  EXPECT_EQ(rows.codes[1], encoder.features()[2].first_row + 1);
  EXPECT_EQ(rows.codes[2], rows::EncodedRows::kNothing);
}

TEST(Encoder, NamesWhatIsMissingOrOfAnotherKind) {
  const encode::Encoder encoder = fitted(small_table(), all_rows(6));
  const auto refusal = [&](const Table& table) {
    try {
      encoder.bind(table);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  Table lacking;
  lacking.add_numbers("full", std::vector<double>{1});
  lacking.add_numbers("gappy", std::vector<double>{1});
  lacking.add_categories("colour", std::vector<std::string>{"red"});
  EXPECT_EQ(refusal(lacking),
            "2 of the model's 5 features are missing: shape, constant (the table has full, gappy, colour)");
  lacking.add_numbers("shape", std::vector<double>{1});
  lacking.add_numbers("constant", std::vector<double>{1});
  EXPECT_NE(refusal(lacking).find("column 'shape' contains numbers, but the model expects text"),
            std::string::npos);
}

}  // namespace
}  // namespace mirrorball
