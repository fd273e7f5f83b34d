// Tables by the Arrow C data interface: columns of any type, values, missing values and offsets. Pointers and
// lengths of the buffers are right, as the interface demands of the producer; nothing else is.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bytes.h"
#include "check.h"
#include "mirrorball/table.h"
#include "table/arrow_abi.h"

namespace mirrorball::fuzz {
namespace {

struct Format {
  const char* text;
  std::size_t bits;  ///< of a value
};

/// Texts and views have a layout of their own; the widest is enough for the last.
constexpr Format kFormats[] = {{"n", 0},     {"b", 1},    {"c", 8},       {"C", 8},         {"s", 16},
                               {"S", 16},    {"i", 32},   {"I", 32},      {"l", 64},        {"L", 64},
                               {"e", 16},    {"f", 32},   {"g", 64},      {"tdD", 32},      {"tdm", 64},
                               {"tts", 32},  {"ttm", 32}, {"ttu", 64},    {"ttn", 64},      {"tss:UTC", 64},
                               {"tsn:", 64}, {"tDm", 64}, {"d:5,2", 128}, {"d:5,2,64", 64}, {"d:5,2,32", 32},
                               {"u", 32},    {"U", 64},   {"vu", 128},    {"+s", 0},        {"", 128}};

/// A column that owns what its schema and array point to.
class Producer {
 public:
  Producer(Bytes& bytes, std::size_t rows, bool may_have_dictionary) {
    const std::size_t which = bytes.below(std::size(kFormats));
    Format format = kFormats[which];
    text_ = format.text;
    if (which + 1 == std::size(kFormats)) text_ = std::string(bytes.text(12)).c_str();  // up to a 0
    if (text_ == "+s" || text_ == "u" || text_ == "U" || text_ == "vu") format.bits = width_of_text();
    name_ = std::string(bytes.text(6)).c_str();
    array_.length = static_cast<std::int64_t>(rows);
    array_.offset = bytes.below(4) == 0 ? static_cast<std::int64_t>(bytes.below(9)) : 0;
    array_.null_count = bytes.below(3) == 0 ? 0 : -1;
    const std::size_t values = rows + static_cast<std::size_t>(array_.offset) + kSpare;
    add_buffer((values + 7) / 8, bytes);
    if (bytes.below(3) == 0) buffers_[0] = nullptr;
    text_ == "u" || text_ == "U" || text_ == "vu" ? add_texts(values, bytes)
                                                  : add_buffer((values * format.bits + 7) / 8, bytes);
    if (may_have_dictionary && bytes.below(4) == 1)
      dictionary_ = std::make_unique<Producer>(bytes, bytes.below(6), bytes.below(8) == 1);
    point();
  }

  ArrowSchema& schema() { return schema_; }
  ArrowArray& array() { return array_; }

 private:
  static constexpr std::size_t kSpare = 8;  // a table of its own offset begins that much later

  std::size_t width_of_text() const { return text_ == "vu" ? 128 : text_ == "U" ? 64 : 32; }

  /// Filled with the input's bytes, then zeros.
  void add_buffer(std::size_t size, Bytes& bytes) {
    memory_.push_back(std::make_unique<char[]>(size));
    const std::string_view given = bytes.text();
    std::memcpy(memory_.back().get(), given.data(), std::min(size, given.size()));
    buffers_.push_back(memory_.back().get());
  }

  void add_texts(std::size_t values, Bytes& bytes) {
    const std::string_view letters = bytes.text();
    std::vector<std::size_t> ends = {0};
    for (std::size_t i = 0; i < values; ++i)
      ends.push_back(std::min(letters.size(), ends.back() + bytes.below(16)));
    const std::size_t width = text_ == "vu" ? 16 : text_ == "U" ? 8 : 4;
    memory_.push_back(std::make_unique<char[]>(ends.size() * width));
    char* const out = memory_.back().get();
    buffers_.push_back(out);
    memory_.push_back(std::make_unique<char[]>(letters.size()));
    std::memcpy(memory_.back().get(), letters.data(), letters.size());
    buffers_.push_back(memory_.back().get());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::size_t begin = i == 0 ? 0 : ends[i - 1];
      if (text_ == "vu") {
        write_view(out + 16 * i, letters.substr(begin, ends[i] - begin), begin);
      } else {
        std::memcpy(out + i * width, &ends[i], width);
      }
    }
  }

  static void write_view(char* out, std::string_view text, std::size_t begin) {
    const std::int32_t words[4] = {static_cast<std::int32_t>(text.size()), 0, 0,
                                   static_cast<std::int32_t>(begin)};
    std::memcpy(out, words, sizeof words);
    if (text.size() <= 12 && !text.empty()) std::memcpy(out + 4, text.data(), text.size());
  }

  void point() {
    schema_.format = text_.c_str();
    schema_.name = name_.c_str();
    schema_.dictionary = dictionary_ ? &dictionary_->schema_ : nullptr;
    array_.n_buffers = static_cast<std::int64_t>(buffers_.size());
    array_.buffers = buffers_.data();
    array_.dictionary = dictionary_ ? &dictionary_->array_ : nullptr;
  }

  std::string text_, name_;
  std::vector<std::unique_ptr<char[]>> memory_;
  std::vector<const void*> buffers_;
  std::unique_ptr<Producer> dictionary_;
  ArrowSchema schema_ = {};
  ArrowArray array_ = {};
};

void check(const Table& table) {
  for (std::size_t column = 0; column < table.columns(); ++column)
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (table.type(column) == ColumnType::kNumber) {
        table.number(row, column);
      } else {
        const std::int32_t code = table.code(row, column);
        FUZZ_CHECK(code >= -1 && code < static_cast<std::int32_t>(table.categories(column).size()));
      }
    }
}

}  // namespace
}  // namespace mirrorball::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mirrorball;
  fuzz::Bytes bytes(data, size);
  const std::size_t columns = 1 + bytes.below(3), rows = bytes.below(24);
  std::vector<std::unique_ptr<fuzz::Producer>> producers;
  std::vector<ArrowSchema*> schemas;
  std::vector<ArrowArray*> arrays;
  for (std::size_t i = 0; i < columns; ++i) {
    producers.push_back(std::make_unique<fuzz::Producer>(bytes, rows, true));
    schemas.push_back(&producers.back()->schema());
    arrays.push_back(&producers.back()->array());
  }
  ArrowSchema schema = {};
  schema.format = "+s";
  schema.n_children = static_cast<std::int64_t>(columns);
  schema.children = schemas.data();
  ArrowArray array = {};
  array.length = static_cast<std::int64_t>(rows);
  array.null_count = bytes.below(16) == 1 ? 1 : 0;
  array.offset = bytes.below(4) == 0 ? static_cast<std::int64_t>(bytes.below(9)) : 0;
  array.n_children = static_cast<std::int64_t>(bytes.below(16) == 1 ? bytes.below(columns + 1) : columns);
  array.children = arrays.data();
  try {
    fuzz::check(bytes.below(4) == 0 ? Table::from_arrow(*schemas[0], *arrays[0])
                                    : Table::from_arrow(schema, array));
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
