#pragma once

#include "model/fit_columns.h"
#include "train/training_rows.h"

namespace mirrorball {

/// Decides which rows train, which validate and which keep a conformal promise: fills those lists of `rows`.
void split_rows(const FitTables& tables, const Options& options, TrainingRows& rows);

/// Both lists, which are ascending, in one.
std::vector<RowNumber> joined(const std::vector<RowNumber>& a, const std::vector<RowNumber>& b);

}  // namespace mirrorball
