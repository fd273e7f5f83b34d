#pragma once

#include <string>
#include <utility>

#include "mirrorball/model.h"

namespace mirrorball::cli {

/// The name of a file as a reader knows it.
std::string file_name(const std::string& path);

/// Names that tell two model files apart: those of the files, or their paths where these are the same.
std::pair<std::string, std::string> model_names(const std::string& first, const std::string& second);

/// How to read a table that two models predict: the features of both, and the targets.
ReadOptions read_for_both(const Model& first, const Model& second);

}  // namespace mirrorball::cli
