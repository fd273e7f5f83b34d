#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mirrorball/table.h"

namespace mirrorball {

/// A table that comes in blocks of rows, so that it need not fit into memory. `Table::first_row` of a block
/// counts the rows of the blocks before it.
class TableSource {
 public:
  virtual ~TableSource() = default;

  /// The next rows, at least one; none after the last. Throws as `Table::read` does, also where there is no
  /// row at all; with ReadOptions::allow_empty that is one block without rows.
  virtual std::optional<Table> next() = 0;

  /// Where the rows come from, as `Table::source` says it.
  virtual const std::string& name() const = 0;

  /// The number of rows in all; none while it is not known.
  virtual std::optional<std::size_t> rows() const = 0;

  /// How much of the source the blocks so far were, from 0 to 1; none where its end is not known.
  virtual std::optional<double> share() const = 0;
};

/// Opens a table file that `Table::read` reads; "-" is standard input. Its blocks are a few megabytes of text
/// and hold the values that `Table::read` gives, and the categories that occur in them. Columns should be
/// named in the options with their types (`Model::read_options` does that): others are judged by the first
/// megabyte, and text that comes later in a column of numbers is an error.
std::unique_ptr<TableSource> open_table(const std::string& path, const ReadOptions& options = {});

/// Opens several files as one table, as `Table::read_files` reads them.
std::unique_ptr<TableSource> open_table_files(std::span<const std::string> paths,
                                              const ReadOptions& options = {});

/// The same from bytes in memory, which must stay there; `name` stands for the file in errors.
std::unique_ptr<TableSource> open_table_bytes(std::string_view bytes, const std::string& name,
                                              const ReadOptions& options = {});

/// The rows of a table, which must outlive the source.
std::unique_ptr<TableSource> open_table(const Table& table);

}  // namespace mirrorball
