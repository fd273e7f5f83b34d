#include "table/arrow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "base/utf8.h"
#include "table/arrow_values.h"
#include "table/text_column.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kChunk = 512;  // rows taken at a time

/// Gives back what a producer lent, once.
template <class T>
class ReleaseAtEnd {
 public:
  explicit ReleaseAtEnd(T& lent) : lent_(lent) {}
  ~ReleaseAtEnd() {
    if (lent_.release) lent_.release(&lent_);
  }
  ReleaseAtEnd(const ReleaseAtEnd&) = delete;
  ReleaseAtEnd& operator=(const ReleaseAtEnd&) = delete;

 private:
  T& lent_;
};

/// Where a column's values come from and go to.
struct ArrowInput {
  const ArrowSchema* schema;
  ArrowType type;  // of the codes, where there is a dictionary
  bool as_categories;

  /// Texts that nobody declared may be dates.
  bool is_guess() const {
    return !as_categories && !schema->dictionary && type.kind() == ArrowType::Kind::kText;
  }
};

[[noreturn]] void not_taken(const std::string& name, const char* format) {
  bad_input(
      "column '{}' has the Arrow type '{}', which is neither a number, a time nor text: drop or convert it",
      name, format);
}

class ArrowReader {
 public:
  ArrowReader(const ArrowSchema& schema, const std::vector<std::string>& categories) {
    is_table_ = std::strcmp(schema.format, "+s") == 0 && !schema.dictionary;
    if (is_table_) {
      for (std::int64_t i = 0; i < schema.n_children; ++i) add(*schema.children[i], categories);
    } else {
      add(schema, categories);
    }
  }

  /// Adds the rows of one batch.
  void append(const ArrowArray& array) {
    const auto rows = static_cast<std::size_t>(array.length);
    if (is_table_ && array.null_count > 0)
      bad_input("{} of {} rows are null as a whole: drop them first", array.null_count, rows);
    if (is_table_ && std::cmp_not_equal(array.n_children, sources_.size()))
      bad_input("an Arrow batch has {} columns, but its schema has {}", array.n_children, sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const std::size_t begin = is_table_ ? static_cast<std::size_t>(array.offset) : 0;
      append(i, is_table_ ? *array.children[i] : array, begin, rows);
    }
    content_.rows += rows;
  }

  Content finish() {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      Column& column = content_.columns[i];
      if (sources_[i].is_guess())
        column = text_column(column.name, std::move(std::get<CategoryColumn>(column.values)));
      std::visit([](auto& values) { values.trim(); }, column.values);
    }
    return std::move(content_);
  }

 private:
  void add(const ArrowSchema& schema, const std::vector<std::string>& categories) {
    const std::string name = schema.name ? schema.name : "";
    if (as_utf8(name) != name) bad_input("the name of column {} is not UTF-8", sources_.size() + 1);
    if (is_table_ && name.empty()) bad_input("column {} has no name", sources_.size() + 1);
    if (!names_.insert(name).second) bad_input("duplicate column name '{}'", name);
    const ArrowType type(schema.format);
    const bool declared = contains(categories, name);
    const bool text = schema.dictionary || type.kind() == ArrowType::Kind::kText;
    const ArrowSchema& values = schema.dictionary ? *schema.dictionary : schema;
    if (values.dictionary || ArrowType(values.format).kind() == ArrowType::Kind::kOther)
      not_taken(name, values.format);
    if (schema.dictionary && type.kind() != ArrowType::Kind::kNumber)
      bad_input("column '{}' has codes of the Arrow type '{}', which is not a whole number", name,
                schema.format);
    sources_.push_back({&schema, type, declared});
    if (text || declared) {
      content_.columns.push_back({name, CategoryColumn(), false});
    } else {
      content_.columns.push_back({name, NumberColumn(), type.is_date()});
    }
  }

  void append(std::size_t column, const ArrowArray& array, std::size_t begin, std::size_t rows) {
    const ArrowInput& source = sources_[column];
    std::vector<std::string> categories;
    if (source.schema->dictionary) categories = categories_of(*source.schema->dictionary, *array.dictionary);
    for (std::size_t done = 0, n; done < rows; done += n) {
      n = std::min(kChunk, rows - done);
      if (source.schema->dictionary) {
        append_codes(column, array, begin + done, n, categories);
      } else if (source.type.kind() == ArrowType::Kind::kText) {
        append_texts(column, array, begin + done, n);
      } else {
        append_numbers(column, array, begin + done, n, content_.rows + done);
      }
    }
  }

  void append_numbers(std::size_t column, const ArrowArray& array, std::size_t begin, std::size_t n,
                      std::size_t row) {
    std::array<double, kChunk> chunk;
    sources_[column].type.numbers(array, begin, n, chunk.data());
    const std::span<const double> values(chunk.data(), n);
    Column& out = content_.columns[column];
    if (sources_[column].as_categories) return std::get<CategoryColumn>(out.values).append(values);
    check_range(out.name, row, values);
    std::get<NumberColumn>(out.values).append(values);
  }

  void append_texts(std::size_t column, const ArrowArray& array, std::size_t begin, std::size_t n) {
    std::vector<std::string> texts(n);
    sources_[column].type.texts(array, begin, n,
                                [&](std::size_t i, std::string_view text) { texts[i] = text; });
    std::get<CategoryColumn>(content_.columns[column].values).append(texts);
  }

  void append_codes(std::size_t column, const ArrowArray& array, std::size_t begin, std::size_t n,
                    const std::vector<std::string>& categories) {
    std::array<double, kChunk> chunk;
    sources_[column].type.numbers(array, begin, n, chunk.data());
    std::vector<std::int32_t> codes(n, Table::kMissing);
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isnan(chunk[i])) continue;
      if (!(chunk[i] >= 0 && chunk[i] < static_cast<double>(categories.size())))
        bad_input("column '{}': the code is {}, but there are {} categories", content_.columns[column].name,
                  chunk[i], categories.size());
      codes[i] = static_cast<std::int32_t>(chunk[i]);
    }
    std::get<CategoryColumn>(content_.columns[column].values).append(codes, categories);
  }

  static std::vector<std::string> categories_of(const ArrowSchema& schema, const ArrowArray& array) {
    const ArrowType type(schema.format);
    const auto count = static_cast<std::size_t>(array.length);
    std::vector<std::string> categories(count);
    if (type.kind() == ArrowType::Kind::kText) {
      type.texts(array, 0, count, [&](std::size_t i, std::string_view text) { categories[i] = text; });
    } else {
      std::vector<double> numbers(count);
      type.numbers(array, 0, count, numbers.data());
      for (std::size_t i = 0; i < count; ++i)
        if (!std::isnan(numbers[i])) categories[i] = fmt::format("{}", numbers[i]);
    }
    return categories;
  }

  bool is_table_ = true;
  std::set<std::string> names_;
  std::vector<ArrowInput> sources_;
  Content content_;
};

void check(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* words = stream.get_last_error ? stream.get_last_error(&stream) : nullptr;
  bad_input("the Arrow stream failed: {}", words ? words : std::strerror(code));
}

}  // namespace

Content read_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories) {
  const ReleaseAtEnd stream_held(stream);
  ArrowSchema schema = {};
  check(stream, stream.get_schema(&stream, &schema));
  const ReleaseAtEnd schema_held(schema);
  ArrowReader reader(schema, categories);
  for (;;) {
    ArrowArray array = {};
    check(stream, stream.get_next(&stream, &array));
    if (!array.release) return reader.finish();
    const ReleaseAtEnd array_held(array);
    reader.append(array);
  }
}

Content read_arrow(ArrowSchema& schema, ArrowArray& array, const std::vector<std::string>& categories) {
  const ReleaseAtEnd schema_held(schema);
  const ReleaseAtEnd array_held(array);
  ArrowReader reader(schema, categories);
  reader.append(array);
  return reader.finish();
}

}  // namespace mirrorball::table
