#include "model_table.h"

#include <fmt/format.h>

#include <utility>

#include "output.h"

namespace mirrorball::cli {
namespace {

ReadOptions read_options(const Model& model, bool with_targets, unsigned threads) {
  ReadOptions read = model.read_options(with_targets);
  read.threads = threads;
  return read;
}

void warn(const Model& model, const Table& table) {
  for (const std::string& warning : model.warnings(table))
    say(fmt::format("warning: {}: {}\n", table.source(), warning));
}

class SourceWithWarnings final : public TableSource {
 public:
  SourceWithWarnings(const Model& model, std::unique_ptr<TableSource> source)
      : model_(model), source_(std::move(source)) {}

  std::optional<Table> next() override {
    std::optional<Table> block = source_->next();
    if (block && block->first_row() == 0) warn(model_, *block);
    return block;
  }

  const std::string& name() const override { return source_->name(); }
  std::optional<std::size_t> rows() const override { return source_->rows(); }
  std::optional<double> share() const override { return source_->share(); }

 private:
  const Model& model_;
  std::unique_ptr<TableSource> source_;
};

}  // namespace

Table table_for(const Model& model, const std::string& path, bool with_targets, unsigned threads) {
  Table table = Table::read(path, read_options(model, with_targets, threads));
  warn(model, table);
  return table;
}

std::unique_ptr<TableSource> source_for(const Model& model, const std::string& path, bool with_targets,
                                        unsigned threads) {
  return std::make_unique<SourceWithWarnings>(model,
                                              open_table(path, read_options(model, with_targets, threads)));
}

}  // namespace mirrorball::cli
