#pragma once

#include <optional>

#include "mirrorball/model.h"

namespace mirrorball::cli {

/// `fit` with a progress bar and a closing line. Ctrl-C ends training in good order, with the best weights so
/// far.
Model train_with_bar(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                     bool quiet);

}  // namespace mirrorball::cli
