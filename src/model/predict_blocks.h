#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"

namespace mirrorball::model {

/// Takes the samples of rows [begin, begin + samples.rows()) of a block.
using UseSamples = std::function<void(const Predictive& samples, const Table& block, std::size_t begin)>;

/// Gets how many rows are done and what share of the source that is, where its end is known. What it throws
/// ends the work.
using RowProgress = std::function<void(std::size_t rows, std::optional<double> share)>;

/// Predicts a table block by block, a few rows at a time: memory does not grow with the rows.
void predict_blocks(const Model& model, TableSource& source, const PredictOptions& options,
                    const UseSamples& use, const RowProgress& progress = {});

}  // namespace mirrorball::model
