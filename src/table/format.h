#pragma once

#include <memory>

#include "mirrorball/table_source.h"
#include "table/byte_source.h"
#include "table/parts.h"

namespace mirrorball::table {

/// A kind of table file. Another kind is a class of its own, and a line in `format_of`.
class Format {
 public:
  virtual ~Format() = default;

  /// The whole table, as `Table::read` gives it.
  virtual Table read(std::unique_ptr<ByteSource> bytes, const ReadOptions& options) const = 0;

  /// Its blocks, as `open_table` gives them.
  virtual std::unique_ptr<TableSource> open(std::unique_ptr<ByteSource> bytes,
                                            const ReadOptions& options) const = 0;
};

/// The format of a file of this name. Text tells its kind itself: CSV and ARFF, packed or not, are one.
const Format& format_of(const std::string& name);

/// The format of a file on disk, which its first bytes may tell: Parquet, Feather and Arrow are read by
/// others.
const Format& format_of_file(const std::string& path);

/// The blocks of a table of text, which may have several files.
std::unique_ptr<TableSource> open_text(Parts parts, const ReadOptions& options);

}  // namespace mirrorball::table
