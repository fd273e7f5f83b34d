#pragma once

#include <string>

#include "fit_flags.h"

namespace mirrorball::cli {

/// What the columns were taken for, and what looks wrong about the targets, so that a wrong guess is seen
/// while there is time.
/// `rows`: of the whole table, where `table` is a sample of it.
std::string describe_columns(const Table& table, std::size_t rows, const FitFlags& flags);

}  // namespace mirrorball::cli
