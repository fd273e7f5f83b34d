#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "mirrorball/checkpoint.h"
#include "mirrorball/options.h"

namespace mirrorball::cli {

/// How `fit` keeps a long fit on disk.
struct CheckpointFlags {
  double seconds = Checkpoint().seconds;
  bool resume = false;

  void add_to(CLI::App& verb);
  /// The checkpoint of a fit that writes the model `out`: the folder out.checkpoint. A fit with a time limit
  /// has none.
  Checkpoint beside(const std::string& out, const Options& options) const;
};

/// Whether there is something to go on from, in a line; empty where there is nothing to say.
std::string checkpoint_words(const Checkpoint& checkpoint);

/// Removes the checkpoint of a fit whose model is saved; that of an interrupted one stays.
void end_checkpoint(const Checkpoint& checkpoint, bool quiet);

}  // namespace mirrorball::cli
