#include "table/foreign.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/contains.h"
#include "base/error.h"

namespace mirrorball::table {
namespace {

struct Kind {
  std::string_view start, name;
};

constexpr std::array<Kind, 4> kKinds = {
    {{"PAR1", "Parquet"}, {"ARROW1", "Arrow"}, {"FEA1", "Feather"}, {"\xff\xff\xff\xff", "Arrow stream"}}};

OpenForeign& opener() {
  static OpenForeign open;
  return open;
}

/// A CSV file may begin with a column that is called PAR1; no text goes on with such a byte.
bool is_binary(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

/// "Parquet", …; empty for other files. What is no regular file, such as a pipe, is left alone.
std::string_view kind_of(const std::string& path) {
  std::error_code unknown;
  if (path == "-" || !std::filesystem::is_regular_file(path, unknown)) return {};
  char start[8] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  for (const Kind& kind : kKinds)
    if (std::string_view(start, sizeof start).starts_with(kind.start) &&
        (kind.start[0] == '\xff' || is_binary(start[kind.start.size()])))
      return kind.name;
  return {};
}

class ForeignFormat final : public Format {
 public:
  Table read(std::unique_ptr<ByteSource> bytes, const ReadOptions& options) const override {
    ForeignTable table = open_foreign(bytes->name());
    return format_of("").read(std::move(table.text), with_types(options, table.categories));
  }
  std::unique_ptr<TableSource> open(std::unique_ptr<ByteSource> bytes,
                                    const ReadOptions& options) const override {
    ForeignTable table = open_foreign(bytes->name());
    return format_of("").open(std::move(table.text), with_types(options, table.categories));
  }
};

}  // namespace

void read_foreign_by(OpenForeign open) { opener() = std::move(open); }

ForeignTable open_foreign(const std::string& path) {
  if (opener()) return opener()(path);
  bad_input(
      "{} is a {} file, which this program does not read by itself: run `pip install mirrorball-ml pyarrow`, "
      "then the same command",
      path, kind_of(path));
}

ReadOptions with_types(ReadOptions options, const std::vector<std::string>& categories) {
  options.separator = ',';
  if (options.only_named) return options;
  for (const std::string& name : categories)
    if (!contains(options.numbers, name) && !contains(options.skip, name)) options.categories.push_back(name);
  return options;
}

const Format* foreign_format_of(const std::string& path) {
  static const ForeignFormat foreign;
  return kind_of(path).empty() ? nullptr : &foreign;
}

}  // namespace mirrorball::table
