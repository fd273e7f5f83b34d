#pragma once

#include <cstddef>
#include <vector>

#include "mirrorball/schema.h"
#include "serve/fields.h"
#include "serve/request_defaults.h"

namespace mirrorball::serve {

/// Values at equal steps by the fields `from`, `to` and `points`; the training range without them. Ends may
/// be dates where the feature has dates.
std::vector<double> even_values(const Fields& fields, const ColumnSchema& feature, std::size_t points,
                                std::size_t most);

}  // namespace mirrorball::serve
