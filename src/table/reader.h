#pragma once

#include <cstddef>
#include <string>

#include "mirrorball/table.h"
#include "table/builder.h"

namespace mirrorball {

/// Text is read and parsed in pieces of this size: small enough that a piece and its numbers stay in a core's
/// cache.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Reads a CSV, CSV.gz or ARFF file. The result does not depend on the number of threads.
Content read_content(const std::string& path, const ReadOptions& options,
                     std::size_t piece_bytes = kPieceBytes);

}  // namespace mirrorball
