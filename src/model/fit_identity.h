#pragma once

#include <nlohmann/json.hpp>

#include "group/group.h"
#include "mirrorball/model.h"
#include "mirrorball/plan.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// What decides the model that a fit gives: version, options, roles, plan and, as a fingerprint, the encoded
/// rows and which of them are for what. Two fits with the same identity give the same bytes.
nlohmann::ordered_json fit_identity(const Options& options, const Roles& roles, const Plan& plan,
                                    const train::TrainingRows& rows);

/// In what two identities differ: "epochs is 20 there and 30 here". Empty where they do not.
std::string difference(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here);

/// Throws in all processes of a group where one has another identity than the others.
void check_same_fit(const group::Group& group, const Options& options, const Roles& roles, const Plan& plan,
                    const train::TrainingRows& rows);

}  // namespace mirrorball::model
