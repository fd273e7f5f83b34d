#include "table/format.h"

#include "table/foreign.h"
#include "table/reader.h"

namespace mirrorball::table {
namespace {

class TextTable final : public TableSource {
 public:
  TextTable(Parts parts, const ReadOptions& options) : reader_(std::move(parts), options) {}

  std::optional<Table> next() override {
    std::optional<Content> block = reader_.next();
    if (!block) return std::nullopt;
    return Table(*std::move(block));
  }

  const std::string& name() const override { return reader_.name(); }
  std::optional<std::size_t> rows() const override { return std::nullopt; }
  std::optional<double> share() const override { return reader_.share(); }

 private:
  BlockReader reader_;
};

/// CSV or ARFF, plain or packed.
class TextFormat final : public Format {
 public:
  Table read(std::unique_ptr<ByteSource> bytes, const ReadOptions& options) const override {
    return Table(read_content(std::move(bytes), options));
  }
  std::unique_ptr<TableSource> open(std::unique_ptr<ByteSource> bytes,
                                    const ReadOptions& options) const override {
    return open_text(std::move(bytes), options);
  }
};

}  // namespace

std::unique_ptr<TableSource> open_text(Parts parts, const ReadOptions& options) {
  return std::make_unique<TextTable>(std::move(parts), options);
}

const Format& format_of(const std::string&) {
  static const TextFormat text;
  return text;
}

const Format& format_of_file(const std::string& path) {
  const Format* foreign = foreign_format_of(path);
  return foreign ? *foreign : format_of(path);
}

}  // namespace mirrorball::table
