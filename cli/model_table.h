#pragma once

#include <memory>
#include <string>

#include "mirrorball/model.h"
#include "mirrorball/table_source.h"

namespace mirrorball::cli {

/// Reads a table for a model and warns of what looks wrong about it.
Table table_for(const Model& model, const std::string& path, bool with_targets, unsigned threads);

/// Opens a table for a model, which must outlive the source, and warns of what looks wrong about its first
/// block.
std::unique_ptr<TableSource> source_for(const Model& model, const std::string& path, bool with_targets,
                                        unsigned threads);

}  // namespace mirrorball::cli
