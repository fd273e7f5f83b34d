#pragma once

#include <cstddef>
#include <vector>

#include "mirrorball/schema.h"
#include "serve/fields.h"

namespace mirrorball::serve {

/// So many values along a feature where a request does not say.
constexpr std::size_t kFunctionPoints = 60, kAlongPoints = 40;

/// Values at equal steps by the fields `from`, `to` and `points`; the training range without them. Ends may
/// be dates where the feature has dates.
std::vector<double> even_values(const Fields& fields, const ColumnSchema& feature, std::size_t points,
                                std::size_t most);

}  // namespace mirrorball::serve
