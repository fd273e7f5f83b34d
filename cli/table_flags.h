#pragma once

#include <CLI/CLI.hpp>

#include "mirrorball/table.h"

namespace mirrorball::cli {

/// How the verbs that read tables take them.
struct TableFlags {
  char delimiter = 0;

  void add_to(CLI::App& verb);
  /// The options with what was asked for here.
  ReadOptions on(ReadOptions read) const;
};

}  // namespace mirrorball::cli
