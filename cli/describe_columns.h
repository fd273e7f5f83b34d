#pragma once

#include <string>

#include "fit_flags.h"

namespace mirrorball::cli {

/// What the columns were taken for, and what looks wrong about the targets, so that a wrong guess is seen
/// while there is time.
std::string describe_columns(const Table& table, const FitFlags& flags);

}  // namespace mirrorball::cli
