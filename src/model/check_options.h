#pragma once

#include <cstddef>

#include "mirrorball/options.h"

namespace mirrorball::model {

/// Options built in code are held to the same ranges as those that come as text, and to each other.
void check_options(const Options& options, std::size_t targets);

}  // namespace mirrorball::model
