#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "encode/encoder.h"
#include "model/fit_columns.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// Weights with mean 1 over the training rows; all 1 without a column of them. Gives the factor by which they
/// are those of the column.
double fill_weights(const FitTables& tables, const std::string& name, train::TrainingRows& rows);

/// Fits the targets' transforms on the rows `seen` and applies them, one target at a time to hold only one in
/// double.
std::vector<encode::NumberTransform> fill_targets(const FitTables& tables,
                                                  const std::vector<std::string>& names,
                                                  const Options& options,
                                                  std::span<const rows::RowNumber> seen,
                                                  train::TrainingRows& rows);

/// Encodes both tables, which are given up on the way.
void fill_inputs(FitTables tables, const encode::Encoder& encoder, train::TrainingRows& rows,
                 ThreadPool& pool);

}  // namespace mirrorball::model
