#pragma once

#include <optional>

#include "model/noise_cache.h"
#include "model/parts.h"

namespace mirrorball::model {

/// Rows [begin, end) of a table as the model's networks and forest take them.
rows::EncodedRows encode_rows(const Model::Parts& parts, const Table& table, std::size_t begin,
                              std::size_t end, ThreadPool& pool);

/// What Model::predict gives for rows that are encoded already, of all targets or `only` one.
/// `options.threads` plays no part. With a cache, what does not depend on the rows is computed once for many
/// calls.
Predictive draw_rows(const Model::Parts& parts, const rows::EncodedRows& inputs,
                     const PredictOptions& options, ThreadPool& pool, std::optional<std::size_t> only = {},
                     NoiseCache* cache = nullptr);

}  // namespace mirrorball::model
