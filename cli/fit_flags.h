#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mirrorball/model.h"
#include "model/fit_memory.h"
#include "option_flags.h"
#include "table_flags.h"

namespace mirrorball::cli {

/// What the verbs that fit have in common: a table, the roles of its columns, and the options.
struct FitFlags {
  std::vector<std::string> data;  ///< files and patterns that are one table
  Roles roles;
  std::vector<std::string> categories, numbers;
  bool quiet = false, progress = false;
  TableFlags table;
  OptionFlags options;

  void add_to(CLI::App& verb);
  /// Older names of options that were used, and what they are called now.
  void say_hints() const;
  /// Reads the table, with a progress bar; the columns that flags name must be there.
  Table read_table(const Options& settled) const;
  /// Reads it in blocks if it does not fit into the memory; none where it does, or cannot be read twice.
  std::optional<LargeTable> read_large(const Options& settled, const model::FitMemory& memory) const;
};

}  // namespace mirrorball::cli
