#pragma once

#include <memory>

#include "mirrorball/table_source.h"
#include "table/byte_source.h"

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

/// The format of a file of this name. Text tells its kind itself: CSV, CSV.gz and ARFF are one.
const Format& format_of(const std::string& name);

}  // namespace mirrorball::table
