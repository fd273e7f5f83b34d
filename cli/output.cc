#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "layout.h"
#include "paint.h"
#include "table/file_list.h"
#include "table/packed_stream.h"

namespace mirrorball::cli {

namespace {

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const table::Packing packing = table::parse_file_name(path).packing;
  if (packing == table::Packing::kNone) return write_atomically(path, write);
  write_atomically(path, [&](std::ostream& out) {
    table::PackedStream packed(out, packing);
    write(packed);
    packed.finish();
  });
}

}  // namespace

void write_result(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (!path.empty() && path != "-") return write_file(path, write);
  errno = 0;
  write(std::cout);
  std::cout.flush();
  if (!std::cout) system_failure("cannot write to standard output: {}", std::strerror(errno ? errno : EIO));
}

void check_spares(const std::string& out, std::initializer_list<std::string> read,
                  std::span<const std::string> tables) {
  std::error_code unknown;  // a file that is not there is not the same as another
  if (!std::filesystem::is_regular_file(out, unknown)) return;
  std::vector<std::string> all = tables.empty() ? std::vector<std::string>() : table::files_of(tables);
  all.insert(all.end(), read.begin(), read.end());
  for (const std::string& path : all)
    if (std::filesystem::equivalent(out, path, unknown))
      bad_input("--out {} would overwrite the input {}: choose another file name", out, path);
}

void say(const std::string& words) { std::fputs(words.c_str(), stderr); }

std::string warning_line(const std::string& text) {
  const Paint paint = Paint::err();
  return wrapped(paint.warning("warning:") + " " + text, 0, 2, paint.width()) + "\n";
}

std::string note_line(const std::string& text) {
  return wrapped("note: " + text, 0, 2, Paint::err().width()) + "\n";
}

void warn(const std::string& text) { say(warning_line(text)); }

}  // namespace mirrorball::cli
