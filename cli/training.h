#pragma once

#include <optional>
#include <string>

#include "mirrorball/model.h"

namespace mirrorball::cli {

struct Words {
  std::string first;  ///< shown once the input has proved good and training begins
  bool quiet = false;
};

/// `fit` with a progress bar and a closing line. Ctrl-C ends training in good order, with the best weights so
/// far.
Model train_with_bar(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                     const Words& words);

}  // namespace mirrorball::cli
