#pragma once

#include <cstddef>
#include <string>

#include "mirrorball/table.h"

namespace mirrorball::table {

/// What may be wrong about a column whose type was guessed, and the way out, as "column 'id' has …": row
/// numbers taken for a feature, stray words in a column of numbers, numbers or dates in a form that is not
/// read, a text that names the rows. Empty where nothing is. Of a column whose type was `declared`, only that
/// it is not used. `flags` names the flags of the command line.
std::string column_hint(const Table& table, std::size_t column, bool declared, bool flags);

/// Whether a column has too many different texts for its rows to be a feature: a fit does not use it.
bool names_its_rows(const Table& table, std::size_t column);

}  // namespace mirrorball::table
