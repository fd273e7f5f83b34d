#pragma once

#include <string>

#include "mirrorball/table.h"

namespace mirrorball::table {

/// How an error about a table begins: "FILE: ", or "" where the table was not read from a file.
std::string source_prefix(const Table& table);

}  // namespace mirrorball::table
