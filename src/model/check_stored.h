#pragma once

#include <nlohmann/json.hpp>

#include "model/safetensors.h"

namespace mirrorball::model {

/// What could make a reader of the parts go wrong: numbers that are none, tensors without values, a
/// description too deep or too wide to be parsed with care. A std::invalid_argument names it.
void check_tensors(const StoredFile& file);
void check_description(const std::string& text);
/// Counts that are none, such as 1e308 epochs.
void check_counts(const nlohmann::ordered_json& description);

}  // namespace mirrorball::model
