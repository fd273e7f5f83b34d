#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path) {
  system_failure("cannot write {}: {}", path, std::strerror(errno ? errno : EIO));
}

std::string temporary_beside(const std::string& path) { return path + ".part" + std::to_string(getpid()); }

void write_stream(const std::string& path, const std::string& shown,
                  const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) cannot_write(shown);
  write(out);
  out.flush();
  if (!out) cannot_write(shown);
}

/// Forces a file, or a directory's entries, to the disk.
bool make_durable(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags);
  if (file < 0) return false;
  const bool done = fsync(file) == 0;
  close(file);
  return done;
}

}  // namespace

void check_writable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) system_failure("cannot write {}: it is a directory", path);
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) return;
  const std::string temporary = temporary_beside(path);
  write_stream(temporary, path, [](std::ostream&) {});
  fs::remove(temporary, ignored);
}

void write_atomically(const std::string& link, const std::function<void(std::ostream&)>& write) {
  std::error_code ignored;
  const std::string path =
      fs::is_symlink(link, ignored) ? fs::weakly_canonical(link, ignored).string() : link;
  if (fs::is_directory(path, ignored)) system_failure("cannot write {}: it is a directory", path);
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return write_stream(path, path, write);
  const std::string temporary = temporary_beside(path);
  try {
    write_stream(temporary, path, write);
    if (!make_durable(temporary, O_RDONLY)) cannot_write(path);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) cannot_write(path);
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
  const std::string folder = fs::path(path).parent_path().string();
  make_durable(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

}  // namespace mirrorball
