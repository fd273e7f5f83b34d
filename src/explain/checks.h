#pragma once

#include <cstddef>
#include <span>

#include "mirrorball/explain.h"

namespace mirrorball::shap {

/// Which target the functional is of; 0 for a region's probability, which is of all of them.
std::size_t target_of(const Model& model, const ExplainOptions& options);

void check_rows(const Table& table, std::span<const std::size_t> rows);
void check_background(const Table& background, std::size_t rows);

/// None of the samples of a row lies in the region: the text has where they lie.
[[noreturn]] void refuse_empty(std::size_t row, const Region& where, const Predictive& at_x);

}  // namespace mirrorball::shap
