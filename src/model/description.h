#pragma once

#include <nlohmann/json.hpp>

#include "model/parts.h"

namespace mirrorball::model {

/// What the header of a model file tells: everything but tensors.
nlohmann::ordered_json description_json(const Model::Parts& parts);

/// Entries of it; anything that a model cannot have is a std::invalid_argument.
Options load_options(const nlohmann::ordered_json& json);
Calibration load_calibration(const nlohmann::ordered_json& json);
NetworkHistory load_history(const nlohmann::ordered_json& json);

}  // namespace mirrorball::model
