#pragma once

#include "model/fit_columns.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// Decides which rows train, which validate and which keep a conformal promise: fills those lists of `rows`.
void split_rows(const FitTables& tables, const Roles& roles, const Options& options,
                train::TrainingRows& rows);

/// Both lists, which are ascending, in one.
std::vector<rows::RowNumber> joined(const std::vector<rows::RowNumber>& a,
                                    const std::vector<rows::RowNumber>& b);

}  // namespace mirrorball::model
