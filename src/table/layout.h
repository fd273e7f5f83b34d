#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mirrorball/table.h"
#include "table/cells.h"

namespace mirrorball::table {

class TextReader;

/// What the head of a file says: how its lines divide, and names and, in ARFF, types of the columns.
struct Layout {
  Dialect dialect;
  std::vector<std::string> names;
  std::vector<std::optional<ColumnType>> types;  ///< one a name; none is to be found out
  bool first_unnamed = false;  ///< the first name stands in for none, as where pandas or R wrote row names
};

/// Reads the head of a CSV or ARFF file; `file` is its name. `separator` divides the lines of CSV; 0 takes
/// the one that the name or the header shows.
Layout read_layout(TextReader& reader, const std::string& file, char separator);

Layout read_csv_header(TextReader& reader, const std::string& file, char separator);
Layout read_arff_header(TextReader& reader, const std::string& file);

}  // namespace mirrorball::table
