#include "table/format.h"

#include "table/reader.h"

namespace mirrorball::table {
namespace {

class TextTable final : public TableSource {
 public:
  TextTable(std::unique_ptr<ByteSource> bytes, const ReadOptions& options)
      : reader_(std::move(bytes), options) {}

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

/// CSV, CSV.gz or ARFF.
class TextFormat final : public Format {
 public:
  Table read(std::unique_ptr<ByteSource> bytes, const ReadOptions& options) const override {
    return Table(read_content(std::move(bytes), options));
  }
  std::unique_ptr<TableSource> open(std::unique_ptr<ByteSource> bytes,
                                    const ReadOptions& options) const override {
    return std::make_unique<TextTable>(std::move(bytes), options);
  }
};

}  // namespace

const Format& format_of(const std::string&) {
  static const TextFormat text;
  return text;
}

}  // namespace mirrorball::table
