#include "model_table.h"

#include <fmt/format.h>

#include "output.h"

namespace mirrorball::cli {

Table table_for(const Model& model, const std::string& path, bool with_targets, unsigned threads) {
  ReadOptions read = model.read_options(with_targets);
  read.threads = threads;
  Table table = Table::read(path, read);
  for (const std::string& doubt : model.doubts(table))
    say(fmt::format("warning: {}: {}\n", table.source(), doubt));
  return table;
}

}  // namespace mirrorball::cli
