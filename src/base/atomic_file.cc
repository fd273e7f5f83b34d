#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/file_stream.h"
#include "base/temporary_file.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the system

[[noreturn]] void cannot_write(const std::string& path, int error) {
  system_failure("cannot write {}: {}", path, std::strerror(error ? error : EIO));
}

/// Calls `write` with a stream into the file.
void fill_file(int file, const std::string& path, const std::function<void(std::ostream&)>& write) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  write(out);
  out.flush();
  if (!out) cannot_write(path, buffer.error());
}

/// A pipe, a terminal or a device.
void write_directly(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) cannot_write(path, errno);
  const OwnedFile owned(file);
  fill_file(file, path, write);
}

/// Where the links of `path` lead, also to a file that is not there yet.
std::string behind_links(const std::string& path) {
  fs::path found = path;
  std::error_code ignored;
  for (int links = 0; fs::is_symlink(found, ignored); ++links) {
    if (links == kMostLinks) cannot_write(path, ELOOP);
    const fs::path target = fs::read_symlink(found, ignored);
    found = target.is_absolute() ? target : found.parent_path() / target;
  }
  return found.string();
}

/// Whether there is something that is no regular file; throws for what cannot be written to at all.
bool is_special(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) {
    if (errno != ENOENT) cannot_write(path, errno);
    return false;
  }
  if (S_ISDIR(found.st_mode)) system_failure("cannot write {}: it is a directory", path);
  return !S_ISREG(found.st_mode);
}

/// A file keeps its mode, and its owner where that is allowed.
void take_over(int file, const std::string& path) {
  struct stat old = {}, made = {};
  if (stat(path.c_str(), &old) != 0 || fstat(file, &made) != 0) return;
  const bool same_owner = old.st_uid == made.st_uid && old.st_gid == made.st_gid;
  if (!same_owner && fchown(file, old.st_uid, old.st_gid) != 0 && fchown(file, made.st_uid, old.st_gid) != 0)
    errno = 0;  // another's file in a folder of ours: it becomes ours
  if (fchmod(file, old.st_mode & 07777) != 0) cannot_write(path, errno);
}

/// Forces a folder's entries to the disk.
void make_durable(const std::string& folder) {
  const OwnedFile opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number >= 0) fsync(opened.number);
}

}  // namespace

void check_writable(const std::string& path) {
  if (is_special(path)) return;
  const TemporaryFile temporary(behind_links(path));
  if (temporary.file() < 0) cannot_write(path, temporary.error());
}

void write_atomically(const std::string& link, const std::function<void(std::ostream&)>& write) {
  if (is_special(link)) return write_directly(link, write);
  const std::string path = behind_links(link);
  TemporaryFile temporary(path);
  if (temporary.file() < 0) cannot_write(link, temporary.error());
  fill_file(temporary.file(), link, write);
  take_over(temporary.file(), path);
  if (fsync(temporary.file()) != 0) cannot_write(link, errno);
  if (!temporary.rename_to_path()) cannot_write(link, temporary.error());
  make_durable(folder_of(path));
}

}  // namespace mirrorball
