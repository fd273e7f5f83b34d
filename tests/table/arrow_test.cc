#include "table/arrow_abi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "mirrorball/table.h"
#include "table/read_helpers.h"

namespace mirrorball::table_test {
namespace {

using Texts = std::vector<std::string>;

/// Arrays as a producer would lend them; counts what is given back.
class Producer {
 public:
  ArrowSchema* schema(const std::string& name, const std::string& format,
                      std::vector<ArrowSchema*> children = {}, ArrowSchema* dictionary = nullptr) {
    ArrowSchema& made = schemas_.emplace_back();
    made = {};
    made.name = texts_.emplace_back(name).c_str();
    made.format = texts_.emplace_back(format).c_str();
    made.n_children = static_cast<std::int64_t>(children.size());
    made.children = schema_lists_.emplace_back(std::move(children)).data();
    made.dictionary = dictionary;
    return &made;
  }

  ArrowArray* array(std::size_t length, std::vector<const void*> buffers,
                    std::vector<ArrowArray*> children = {}, ArrowArray* dictionary = nullptr) {
    ArrowArray& made = arrays_.emplace_back();
    made = {};
    made.length = static_cast<std::int64_t>(length);
    made.null_count = !buffers.empty() && buffers[0] ? -1 : 0;
    made.n_buffers = static_cast<std::int64_t>(buffers.size());
    made.buffers = buffer_lists_.emplace_back(std::move(buffers)).data();
    made.n_children = static_cast<std::int64_t>(children.size());
    made.children = array_lists_.emplace_back(std::move(children)).data();
    made.dictionary = dictionary;
    return &made;
  }

  template <class T>
  const void* buffer(const std::vector<T>& values) {
    std::string& held = texts_.emplace_back(values.size() * sizeof(T), '\0');
    std::memcpy(held.data(), values.data(), held.size());
    return held.data();
  }

  template <class T>
  ArrowArray* numbers(const std::vector<T>& values, const void* valid = nullptr) {
    return array(values.size(), {valid, buffer(values)});
  }

  template <class Offset = std::int32_t>
  ArrowArray* strings(const Texts& values, const void* valid = nullptr) {
    std::vector<Offset> offsets = {0};
    std::string all;
    for (const std::string& value : values) {
      all += value;
      offsets.push_back(static_cast<Offset>(all.size()));
    }
    return array(values.size(), {valid, buffer(offsets), buffer(std::vector<char>(all.begin(), all.end()))});
  }

  /// To be released once each.
  template <class T>
  T& lend(T* made) {
    made->private_data = this;
    made->release = [](T* lent) {
      ++static_cast<Producer*>(lent->private_data)->released;
      lent->release = nullptr;
    };
    return *made;
  }

  int released = 0;

 private:
  std::list<std::string> texts_;
  std::list<std::vector<const void*>> buffer_lists_;
  std::list<std::vector<ArrowSchema*>> schema_lists_;
  std::list<std::vector<ArrowArray*>> array_lists_;
  std::list<ArrowSchema> schemas_;
  std::list<ArrowArray> arrays_;
};

Table one_column(const std::string& format, ArrowArray* (*make)(Producer&)) {
  Producer producer;
  ArrowArray* column = make(producer);
  ArrowSchema& schema = producer.lend(producer.schema("", "+s", {producer.schema("c", format)}));
  ArrowArray& array =
      producer.lend(producer.array(static_cast<std::size_t>(column->length), {nullptr}, {column}));
  Table table = Table::from_arrow(schema, array);
  EXPECT_EQ(producer.released, 2);
  return table;
}

std::vector<double> numbers_of(const Table& table) {
  std::vector<double> values(table.rows());
  table.copy_numbers(0, 0, values.size(), values.data());
  for (double& value : values)
    if (std::isnan(value)) value = -999;
  return values;
}

Texts texts_of(const Table& table) {
  Texts texts;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::int32_t code = table.code(row, 0);
    texts.push_back(code == Table::kMissing ? "<gap>" : table.categories(0)[static_cast<std::size_t>(code)]);
  }
  return texts;
}

TEST(TableArrow, NumbersOfAllWidths) {
  using Values = std::vector<double>;
  EXPECT_EQ(numbers_of(one_column("c",
                                  [](Producer& p) {
                                    return p.numbers<std::int8_t>({-3, 100});
                                  })),
            (Values{-3, 100}));
  EXPECT_EQ(numbers_of(one_column("S",
                                  [](Producer& p) {
                                    return p.numbers<std::uint16_t>({60000, 1});
                                  })),
            (Values{60000, 1}));
  EXPECT_EQ(numbers_of(one_column("l",
                                  [](Producer& p) {
                                    return p.numbers<std::int64_t>({-1, 2});
                                  })),
            (Values{-1, 2}));
  EXPECT_EQ(numbers_of(one_column("f",
                                  [](Producer& p) {
                                    return p.numbers<float>({0.5f, 2});
                                  })),
            (Values{0.5, 2}));
  EXPECT_EQ(numbers_of(one_column("g",
                                  [](Producer& p) {
                                    return p.numbers<double>({0.5, -2});
                                  })),
            (Values{0.5, -2}));
  // 1, -2, the least number and infinity's neighbour
  EXPECT_EQ(numbers_of(one_column("e",
                                  [](Producer& p) {
                                    return p.numbers<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff});
                                  })),
            (Values{1, -2, 0x1p-24, 65504}));
  EXPECT_EQ(numbers_of(one_column("n", [](Producer& p) { return p.array(2, {}); })), (Values{-999, -999}));
}

TEST(TableArrow, GapsBitsAndOffsets) {
  const Table table = one_column("b", [](Producer& p) {
    ArrowArray* bits = p.array(3, {p.buffer<std::uint8_t>({0b11011}), p.buffer<std::uint8_t>({0b10110})});
    bits->offset = 1;  // bits 1, 2, 3: yes, missing, no
    return bits;
  });
  EXPECT_EQ(numbers_of(table), (std::vector<double>{1, -999, 0}));
}

TEST(TableArrow, TimesAreSeconds) {
  using Values = std::vector<double>;
  EXPECT_EQ(numbers_of(one_column("tdD",
                                  [](Producer& p) {
                                    return p.numbers<std::int32_t>({1, 20000});
                                  })),
            (Values{86400, 20000 * 86400.0}));
  EXPECT_EQ(numbers_of(one_column("tsm:UTC",
                                  [](Producer& p) {
                                    return p.numbers<std::int64_t>({1500, -500});
                                  })),
            (Values{1.5, -0.5}));
  EXPECT_EQ(numbers_of(one_column("tDn", [](Producer& p) { return p.numbers<std::int64_t>({2500000000}); })),
            (Values{2.5}));
  EXPECT_EQ(numbers_of(one_column("tts",
                                  [](Producer& p) {
                                    return p.numbers<std::int32_t>({3600, 1});
                                  })),
            (Values{3600, 1}));
}

TEST(TableArrow, DatesAreKnownFromOtherTimes) {
  const auto holds_dates = [](const char* format) {
    const Table table = one_column(format, [](Producer& p) {
      return p.numbers<std::int64_t>({1, 2});  // enough bytes for any of them
    });
    return table.holds_dates(0);
  };
  for (const char* format : {"tdD", "tdm", "tss:", "tsn:UTC"}) EXPECT_TRUE(holds_dates(format)) << format;
  for (const char* format : {"tts", "ttu", "tDn", "l", "g"}) EXPECT_FALSE(holds_dates(format)) << format;
}

TEST(TableArrow, Decimals) {
  const Table table = one_column("d:10,2", [](Producer& p) {
    return p.array(3, {nullptr, p.buffer<std::int64_t>({12345, 0, -250, -1, 0, -1})});
  });
  EXPECT_EQ(table.number(0, 0), 123.45);
  EXPECT_EQ(table.number(1, 0), -2.5);
  EXPECT_EQ(table.number(2, 0), -0x1p64 / 100);
}

TEST(TableArrow, TextsOfThreeLayouts) {
  const Texts expected = {"red", "<gap>", "<gap>", "a text of more than twelve bytes"};
  const auto values = [] { return Texts{"red", "", "x", "a text of more than twelve bytes"}; };
  static const auto make = values;
  EXPECT_EQ(
      texts_of(one_column("u", [](Producer& p) { return p.strings(make(), p.buffer<char>({0b1011})); })),
      expected);
  EXPECT_EQ(texts_of(one_column(
                "U", [](Producer& p) { return p.strings<std::int64_t>(make(), p.buffer<char>({0b1011})); })),
            expected);
  EXPECT_EQ(texts_of(one_column("vu",
                                [](Producer& p) {
                                  const std::string text = "..a text of more than twelve bytes";
                                  std::vector<char> views(4 * 16, 0);
                                  const auto put = [&](std::size_t view, std::size_t word,
                                                       std::int32_t value) {
                                    std::memcpy(views.data() + 16 * view + 4 * word, &value, 4);
                                  };
                                  put(0, 0, 3);
                                  std::memcpy(views.data() + 4, "red", 3);
                                  put(2, 0, 1);
                                  put(3, 0, static_cast<std::int32_t>(text.size()) - 2);
                                  put(3, 2, 0);
                                  put(3, 3, 2);
                                  return p.array(4, {p.buffer<char>({0b1011}), p.buffer(views),
                                                     p.buffer(std::vector<char>(text.begin(), text.end()))});
                                })),
            expected);
}

TEST(TableArrow, DictionariesAreCategories) {
  Producer producer;
  ArrowSchema* column = producer.schema("c", "C", {}, producer.schema("", "u"));
  ArrowArray* codes = producer.numbers<std::uint8_t>({2, 0, 2, 0}, producer.buffer<char>({0b0111}));
  codes->dictionary = producer.strings({"low", "mid", "high"});
  ArrowSchema& schema = producer.lend(producer.schema("", "+s", {column}));
  const Table table = Table::from_arrow(schema, producer.lend(producer.array(4, {nullptr}, {codes})));
  EXPECT_EQ(texts_of(table), (Texts{"high", "low", "high", "<gap>"}));
  EXPECT_EQ(table.categories(0), (Texts{"high", "low"}));
}

TEST(TableArrow, DeclaredCategoriesAndNamelessArrays) {
  Producer producer;
  ArrowSchema& schema =
      producer.lend(producer.schema("", "+s", {producer.schema("a", "i"), producer.schema("b", "g")}));
  ArrowArray* a = producer.numbers<std::int32_t>({7, 8});
  ArrowArray* b = producer.numbers<double>({1, 2.5});
  const Table table = Table::from_arrow(schema, producer.lend(producer.array(2, {nullptr}, {a, b})), {"b"});
  EXPECT_EQ(table.type(0), ColumnType::kNumber);
  EXPECT_EQ(table.categories(1), (Texts{"1", "2.5"}));

  const Table alone = Table::from_arrow(producer.lend(producer.schema("", "i")),
                                        producer.lend(producer.numbers<std::int32_t>({4, 5})));
  EXPECT_EQ(alone.names(), (Texts{""}));
  EXPECT_EQ(alone.number(1, 0), 5);
}

/// A stream of batches of one column of doubles, which may break off.
struct Batches {
  Producer producer;
  std::deque<std::vector<double>> left;
  bool breaks = false;

  ArrowArrayStream stream() {
    ArrowArrayStream made = {};
    made.private_data = this;
    made.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      Producer& p = static_cast<Batches*>(self->private_data)->producer;
      *out = p.lend(p.schema("", "+s", {p.schema("t", "g")}));
      return 0;
    };
    made.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      auto& own = *static_cast<Batches*>(self->private_data);
      *out = {};
      if (own.left.empty()) return own.breaks ? EIO : 0;
      ArrowArray* column = own.producer.numbers(own.left.front());
      *out = own.producer.lend(own.producer.array(own.left.front().size(), {nullptr}, {column}));
      own.left.pop_front();
      return 0;
    };
    made.get_last_error = [](ArrowArrayStream*) { return "the disk is on fire"; };
    made.release = [](ArrowArrayStream* self) {
      ++static_cast<Batches*>(self->private_data)->producer.released;
      self->release = nullptr;
    };
    return made;
  }
};

TEST(TableArrow, AStreamGivesWhatItsBatchesGiveTogether) {
  Batches batches;
  std::vector<double> all;
  for (int batch = 0; batch < 7; ++batch) {
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) values.push_back(1e5 + 0.01 * batch * i);
    all.insert(all.end(), values.begin(), values.end());
    batches.left.push_back(std::move(values));
  }
  ArrowArrayStream stream = batches.stream();
  const Table table = Table::from_arrow(stream);
  EXPECT_EQ(batches.producer.released, 9);  // stream, schema, seven batches
  Table expected;
  expected.add_numbers("t", all);
  EXPECT_EQ(numbers_of(table), numbers_of(expected));
}

TEST(TableArrow, Errors) {
  Batches batches;
  batches.left = {{1, 2}};
  batches.breaks = true;
  ArrowArrayStream stream = batches.stream();
  expect_parts(message_of([&] { Table::from_arrow(stream); }), {"failed", "the disk is on fire"});
  EXPECT_EQ(batches.producer.released, 3);

  Producer producer;
  const auto take = [&](ArrowSchema* column, ArrowArray* values) {
    ArrowSchema& schema = producer.lend(producer.schema("", "+s", {column}));
    Table::from_arrow(schema, producer.lend(producer.array(1, {nullptr}, {values})));
  };
  expect_parts(message_of([&] { take(producer.schema("tags", "+l"), producer.array(1, {})); }),
               {"column 'tags' has the Arrow type '+l', which is neither a number, a time nor text"});
  expect_parts(message_of([&] { take(producer.schema("n", "g"), producer.numbers<double>({INFINITY})); }),
               {"column 'n', row 0", "infinite"});
  EXPECT_EQ(producer.released, 4);
}

}  // namespace
}  // namespace mirrorball::table_test
