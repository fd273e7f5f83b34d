#include "model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output.h"

namespace mirrorball::cli {
namespace {

void warn_of(const std::string& source, const std::vector<ColumnWarning>& warnings) {
  for (const ColumnWarning& warning : warnings) warn(fmt::format("{}: {}", source, warning.text));
}

/// Warns of what holds for all blocks, once they are read.
class SourceWithWarnings final : public TableSource {
 public:
  SourceWithWarnings(const Model& model, std::unique_ptr<TableSource> source)
      : model_(model), source_(std::move(source)) {}

  std::optional<Table> next() override {
    std::optional<Table> block = source_->next();
    if (!block) {
      warn_of(source_->name(), std::exchange(warnings_, {}));
    } else if (!std::exchange(begun_, true)) {
      warnings_ = model_.warnings(*block);
    } else if (!warnings_.empty()) {
      keep_those_of(model_.warnings(*block));
    }
    return block;
  }

  const std::string& name() const override { return source_->name(); }
  std::optional<std::size_t> rows() const override { return source_->rows(); }
  std::optional<double> share() const override { return source_->share(); }

 private:
  void keep_those_of(const std::vector<ColumnWarning>& later) {
    std::erase_if(warnings_, [&](const ColumnWarning& one) {
      return std::none_of(later.begin(), later.end(),
                          [&](const ColumnWarning& other) { return other.column == one.column; });
    });
  }

  const Model& model_;
  std::unique_ptr<TableSource> source_;
  bool begun_ = false;
  std::vector<ColumnWarning> warnings_;  ///< those that held for every block so far
};

}  // namespace

Table table_for(const Model& model, const std::string& path, const ReadOptions& read) {
  Table table = Table::read(path, read);
  warn_of(table.source(), model.warnings(table));
  return table;
}

std::unique_ptr<TableSource> source_for(const Model& model, std::span<const std::string> paths,
                                        const ReadOptions& read, const std::optional<RowSpan>& range) {
  std::unique_ptr<TableSource> source = open_table_files(paths, read);
  if (range) source = std::make_unique<RangeOfRows>(std::move(source), *range);
  return std::make_unique<SourceWithWarnings>(model, std::move(source));
}

}  // namespace mirrorball::cli
