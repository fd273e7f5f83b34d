#pragma once

#include <string>

#include "mirrorball/model.h"

namespace mirrorball::cli {

/// Reads a table for a model and warns of what looks wrong about it.
Table table_for(const Model& model, const std::string& path, bool with_targets, unsigned threads);

}  // namespace mirrorball::cli
