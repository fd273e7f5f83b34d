#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"
#include "range_of_rows.h"

namespace mirrorball::cli {

/// Reads a table for a model and warns of what looks wrong about it.
Table table_for(const Model& model, const std::string& path, const ReadOptions& read);

/// Opens a table for a model, which must outlive the source, or some rows of it, and warns of what looks
/// wrong about all of them when the last block was read.
std::unique_ptr<TableSource> source_for(const Model& model, std::span<const std::string> paths,
                                        const ReadOptions& read,
                                        const std::optional<RowSpan>& range = std::nullopt);

}  // namespace mirrorball::cli
