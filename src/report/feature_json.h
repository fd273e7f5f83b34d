#pragma once

#include "report/findings.h"
#include "report/json_numbers.h"

namespace mirrorball::report {

/// What a feature is, as in training.
Json feature_json(const ColumnSchema& feature);

/// The cell of one of the rows looked at: a number, a category, or null for a missing value.
Json cell(const Findings& found, std::size_t row, std::size_t f);

/// The forecast along feature number f.
Json fan_json(const Findings& found, std::size_t f, const Fan& fan);

Json drift_json(const ColumnSchema& feature, const FeatureDrift& one);

}  // namespace mirrorball::report
