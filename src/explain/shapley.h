#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mirrorball::shap {

/// Shapley values from the worth of all 2^players sets, number m having player i where bit i of m is set.
/// They sum to worth.back() - worth.front(), to rounding.
std::vector<double> shapley_values(std::size_t players, std::span<const double> worth);

}  // namespace mirrorball::shap
