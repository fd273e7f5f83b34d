#pragma once

#include <cstddef>
#include <string>

#include "mirrorball/table.h"

namespace mirrorball::table {

/// What may be wrong about a column whose type was guessed, and the way out: row numbers taken for a feature,
/// one stray word in a column of numbers, a category with few rows each. Empty where nothing is. `flags`
/// names the flags of the command line.
std::string column_hint(const Table& table, std::size_t column, bool flags);

}  // namespace mirrorball::table
