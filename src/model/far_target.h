#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mirrorball::model {

/// A sentence about values of a target that lie so far from all others that they are probably errors: how
/// many, the first with its row, and where the others lie. Nothing where there are none, or too few rows.
std::optional<std::string> far_target(const std::vector<double>& values, const std::string& name);

}  // namespace mirrorball::model
