#include "table/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/contains.h"
#include "base/error.h"

namespace mirrorball::table {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b", kZstd = "\x28\xb5\x2f\xfd";

/// A zstd file may begin with a frame to skip, as parallel compressors write it: bytes 50 to 5F, 2A, 4D, 18.
constexpr std::string_view kSkippedRest = "\x2a\x4d\x18";

bool starts_with_skipped(std::string_view bytes) {
  return bytes.size() > kSkippedRest.size() && (bytes[0] & 0xF0) == 0x50 &&
         bytes.substr(1).starts_with(kSkippedRest);
}

struct Unreadable {
  std::string_view mark, name, way_out;
};

constexpr std::string_view kCompressAgain = "decompress it, or compress it with gzip or zstd";

constexpr std::array<Unreadable, 3> kUnreadable = {
    {{"PK\x03\x04", "a zip archive or a spreadsheet", "export the table as CSV"},
     {"BZh", "compressed with bzip2", kCompressAgain},
     {"\xfd"
      "7zXZ",
      "compressed with xz", kCompressAgain}}};

/// A header line may begin with the letters of a mark; what follows them in such a file is no text.
bool is_binary(std::string_view bytes) {
  return std::any_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' && !std::isspace(c); }) ||
         bytes.substr(std::min<std::size_t>(4, bytes.size())) == "1AY&SY";  // bzip2's letters go on
}

std::string lower_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return ending.empty() ? ending : ending.substr(1);
}

}  // namespace

FileName parse_file_name(std::string_view path) {
  const std::filesystem::path whole(path);
  const std::string last = lower_ending(whole);
  const Packing packing = last == "gz" ? Packing::kGzip : last == "zst" ? Packing::kZstd : Packing::kNone;
  return {packing, packing == Packing::kNone ? last : lower_ending(whole.stem())};
}

std::optional<char> separator_named(std::string_view path) {
  const std::string kind = parse_file_name(path).kind;
  if (kind == "tsv" || kind == "tab") return '\t';
  if (kind == "psv") return '|';
  return std::nullopt;
}

void check_writable(std::string_view path) {
  static constexpr std::array<std::string_view, 8> kOthers = {"parquet", "feather", "arrow", "xlsx",
                                                              "zip",     "bz2",     "xz",    "arff"};
  const std::string kind = parse_file_name(path).kind;
  if (contains(kOthers, kind))
    bad_input("{}: .{} files are not written; use .csv or .tsv, or compress it as .csv.gz or .csv.zst", path,
              kind);
}

Packing packing_of(std::string_view first_bytes) {
  if (first_bytes.starts_with(kGzip)) return Packing::kGzip;
  if (first_bytes.starts_with(kZstd) || starts_with_skipped(first_bytes)) return Packing::kZstd;
  return Packing::kNone;
}

void check_readable(std::string_view first_bytes, const std::string& name) {
  for (const Unreadable& kind : kUnreadable)
    if (first_bytes.starts_with(kind.mark) && is_binary(first_bytes.substr(0, kMarkBytes)))
      bad_input("{}: this is {}, which is not read here: {}", name, kind.name, kind.way_out);
}

}  // namespace mirrorball::table
