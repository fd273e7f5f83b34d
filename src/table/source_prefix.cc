#include "table/source_prefix.h"

namespace mirrorball::table {

std::string source_prefix(const Table& table) {
  return table.source().empty() ? std::string() : table.source() + ": ";
}

}  // namespace mirrorball::table
