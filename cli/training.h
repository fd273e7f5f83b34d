#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "mirrorball/model.h"

namespace mirrorball::cli {

struct Words {
  std::string first = {};  ///< shown once the input has proved good and training begins
  bool quiet = false;
  bool progress = false;  ///< lines of progress where there is no terminal
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();  ///< of the time limit
  Checkpoint checkpoint = {};
};

/// The fit itself; `spent` seconds of a time limit are over.
using Fitting = std::function<Model(const ProgressCallback& progress, double spent)>;

/// A fit with a progress bar and a closing line. Ctrl-C ends training in good order, with the best weights so
/// far.
Model train_with_bar(const Fitting& fitting, const Options& options, const Words& words);

/// The same of a table in memory.
Model train_with_bar(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                     const Words& words);

}  // namespace mirrorball::cli
