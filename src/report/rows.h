#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mirrorball/model.h"

namespace mirrorball {

/// `most` of `rows` row numbers, in order, picked by the seed; all of them where there are no more. `part`
/// tells samples of one report apart.
std::vector<std::size_t> sampled_rows(std::size_t rows, std::size_t most, std::uint64_t seed,
                                      std::uint32_t part);

/// A table of these rows, with the model's features, and its targets where the table has them.
Table select_rows(const Model& model, const Table& table, std::span<const std::size_t> rows);

}  // namespace mirrorball
