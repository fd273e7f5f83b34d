#pragma once

#include <cstdint>

#include "group/group.h"
#include "model/fit_columns.h"

namespace mirrorball::model {

/// The memory that a fit may use.
struct FitMemory {
  std::uint64_t bytes = 0;
  bool asked = false;  ///< by the option memory; otherwise half of what the process may use
};

/// The least of what the processes of the group may use, so that they all do the same. All must call it.
FitMemory fit_memory(const Options& options, const group::Group& group);

/// Whether a fit can read its rows from a cache: with rows held out by chance or in a table of their own, and
/// networks that train on the CPU. Where that was asked for and cannot be, it throws.
bool can_use_cache(const Roles& roles, const Options& options, const FitMemory& memory);

/// The same tables, of which the training table is read in blocks if it takes more than the memory.
FitTables within_memory(FitTables tables, const Roles& roles, const Options& options,
                        const FitMemory& memory);

/// A table that was read in blocks, with its sample in the place of its rows.
FitTables tables_of(LargeTable train, std::optional<Table> valid);

}  // namespace mirrorball::model
