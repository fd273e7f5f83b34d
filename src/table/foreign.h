#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "table/byte_source.h"
#include "table/format.h"

namespace mirrorball::table {

/// A table file that somebody else reads, as CSV.
struct ForeignTable {
  std::unique_ptr<ByteSource> text;
  std::vector<std::string> categories;  ///< columns that hold text, whatever it looks like
};

/// Opens Parquet, Feather and Arrow files. The Python package sets one, which asks pyarrow; without it such a
/// file is an error that names this way. To be set before tables are read.
using OpenForeign = std::function<ForeignTable(const std::string& path)>;
void read_foreign_by(OpenForeign open);

/// Opens such a file; throws where nobody reads it.
ForeignTable open_foreign(const std::string& path);

/// The types that the file tells of columns that the caller says nothing about. Its text is separated by
/// commas.
ReadOptions with_types(ReadOptions options, const std::vector<std::string>& categories);

/// The format of such a file; null for others, and for what is no file.
const Format* foreign_format_of(const std::string& path);

}  // namespace mirrorball::table
