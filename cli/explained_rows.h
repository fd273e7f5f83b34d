#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mirrorball/table.h"

namespace mirrorball::cli {

struct RowRange {
  std::size_t begin, end;
};

/// "3,17,20:25" → 3 to 4, 17 to 18, 20 to 25.
std::vector<RowRange> row_ranges(const std::string& text);

/// The numbers of rows that the table has: checked before a list of them is made.
std::vector<std::size_t> rows_of(const std::vector<RowRange>& ranges, const Table& table);

/// "COLUMN=VALUE" in two; "COLUMN" alone names the rows.
struct IdWanted {
  std::string column;
  std::optional<std::string> value;
};

IdWanted id_from(const std::string& text);

/// All rows in which the column that was kept has the value.
std::vector<std::size_t> rows_with(const IdWanted& id, const Table& table);

/// "key=17" for each of these rows.
std::vector<std::string> names_by(const IdWanted& id, const Table& table,
                                  const std::vector<std::size_t>& rows);

}  // namespace mirrorball::cli
