#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mirrorball::table {

enum class Packing { kNone, kGzip, kZstd };

/// What the name of a file says: "rides.tsv.gz" is packed by gzip, and its text is "tsv".
struct FileName {
  Packing packing = Packing::kNone;
  std::string kind;  ///< the ending before that of the packing, in lower case; empty where there is none
};

FileName parse_file_name(std::string_view path);

/// The separator that a name stands for: a tab for .tsv and .tab, | for .psv; none for other names.
std::optional<char> separator_named(std::string_view path);

/// Throws for a name that stands for a format which is not written, such as .parquet.
void check_writable(std::string_view path);

/// As many first bytes of a file as tell what it is.
inline constexpr std::size_t kMarkBytes = 10;

/// How a file that starts with these bytes is packed.
Packing packing_of(std::string_view first_bytes);

/// Throws for a file that starts as a spreadsheet or in another packing. The message names the kind and a way
/// out.
void check_readable(std::string_view first_bytes, const std::string& name);

}  // namespace mirrorball::table
