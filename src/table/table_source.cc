#include "mirrorball/table_source.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "table/blocks.h"
#include "table/file_list.h"
#include "table/format.h"

namespace mirrorball {
namespace {

class TableInMemory final : public TableSource {
 public:
  explicit TableInMemory(const Table& table) : table_(table) {}

  std::optional<Table> next() override {
    if (table_.rows() == 0) bad_input("the table has no rows: at least 1 is needed");
    if (given_ == table_.rows()) return std::nullopt;
    const std::size_t begin = std::exchange(given_, std::min(table_.rows(), given_ + kBlockRows));
    return table_.slice(begin, given_);
  }

  const std::string& name() const override { return table_.source(); }
  std::optional<std::size_t> rows() const override { return table_.rows(); }
  std::optional<double> share() const override {
    return table_.rows() == 0 ? 1 : static_cast<double>(given_) / static_cast<double>(table_.rows());
  }

 private:
  static constexpr std::size_t kBlockRows = table::Blocks<float>::kRows;

  const Table& table_;
  std::size_t given_ = 0;
};

}  // namespace

std::unique_ptr<TableSource> open_table(const std::string& path, const ReadOptions& options) {
  return open_table_files({&path, 1}, options);
}

std::unique_ptr<TableSource> open_table_files(std::span<const std::string> paths,
                                              const ReadOptions& options) {
  std::vector<std::string> files = table::files_of(paths);
  if (files.size() == 1) return table::format_of_file(files[0]).open(table::open_bytes(files[0]), options);
  return table::open_text(table::Parts(std::move(files)), options);
}

std::unique_ptr<TableSource> open_table_bytes(std::string_view bytes, const std::string& name,
                                              const ReadOptions& options) {
  return table::format_of(name).open(table::bytes_in_memory(bytes, name), options);
}

std::unique_ptr<TableSource> open_table(const Table& table) { return std::make_unique<TableInMemory>(table); }

}  // namespace mirrorball
