#pragma once

#include "mirrorball/schema.h"

namespace mirrorball::serve {

/// Rows to compare with where no table is given. Every feature on its own runs evenly through what the model
/// knows of its training values: the quantiles of a number, the categories of a text; the orders are
/// shuffled, the same way always. How features depend on each other, how frequent a category is and missing
/// values are not in the model file, nor here.
Table made_background(const Schema& schema, std::size_t rows);

}  // namespace mirrorball::serve
