#pragma once

#include <nlohmann/json.hpp>

#include "encode/encoder.h"
#include "mirrorball/plan.h"

namespace mirrorball::model {

/// A plan as the model file has it. How the inputs enter stands with the features there.
nlohmann::ordered_json plan_json(const Plan& plan);
Plan load_plan(const nlohmann::ordered_json& json);

/// That part of a plan, from the features.
std::vector<InputPlan> plan_inputs(const encode::Encoder& encoder);

/// That of the targets.
std::vector<TargetPlan> plan_targets(const std::vector<std::string>& names,
                                     const std::vector<encode::NumberTransform>& transforms);

}  // namespace mirrorball::model
