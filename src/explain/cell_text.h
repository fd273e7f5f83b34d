#pragma once

#include <string>
#include <vector>

#include "mirrorball/schema.h"
#include "mirrorball/table.h"

namespace mirrorball::shap {

/// What stands in the features' columns of a row, dates in UTC; empty where a value is missing.
std::vector<std::string> cell_texts(const Schema& schema, const Table& table, std::size_t row);

}  // namespace mirrorball::shap
