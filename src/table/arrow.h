#pragma once

#include <string>
#include <vector>

#include "table/arrow_abi.h"
#include "table/builder.h"

namespace mirrorball::table {

/// Tables by the Arrow C data interface; see Table::from_arrow.
Content read_arrow(ArrowArrayStream& stream, const std::vector<std::string>& categories);
Content read_arrow(ArrowSchema& schema, ArrowArray& array, const std::vector<std::string>& categories);

}  // namespace mirrorball::table
