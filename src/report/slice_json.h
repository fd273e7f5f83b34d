#pragma once

#include "report/findings.h"
#include "report/json_numbers.h"

namespace mirrorball::report {

/// Which rows a slice has.
Json slice_place(const ColumnSchema& feature, const Slice& slice, std::size_t rows);

/// The slices of the features that are shown of one target: scores, calibration and worst rows of each.
Json slices_json(const Findings& found, std::size_t t);

/// The same slices of a comparison: differences of the CRPS and their standard errors.
Json slice_differences_json(const Findings& found, std::size_t t);

/// Rows that a reader can open.
Json sample_json(const Findings& found);

}  // namespace mirrorball::report
