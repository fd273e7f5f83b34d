#pragma once

#include <cstddef>
#include <span>

#include "mirrorball/table.h"

namespace mirrorball::model {

/// A table of these rows, in this order. A column without a name is left out.
Table take_rows(const Table& table, std::span<const std::size_t> rows);

}  // namespace mirrorball::model
