#pragma once

#include <memory>
#include <span>
#include <string>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"

namespace mirrorball::cli {

/// Reads a table for a model and warns of what looks wrong about it.
Table table_for(const Model& model, const std::string& path, const ReadOptions& read);

/// Opens a table for a model, which must outlive the source, and warns of what looks wrong about all of it
/// when its last block was read.
std::unique_ptr<TableSource> source_for(const Model& model, std::span<const std::string> paths,
                                        const ReadOptions& read);

}  // namespace mirrorball::cli
