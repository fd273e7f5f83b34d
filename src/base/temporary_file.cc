#include "base/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "base/file_stream.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

constexpr int kNewFileMode = 0666;  // less the process's mask
constexpr int kMostNames = 100;     // random ones: a second is hardly ever needed

/// "model.part1f0c…", with 64 random bits.
std::string temporary_name(const std::string& path) {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != sizeof bits)
    bits = static_cast<std::uint64_t>(getpid()) << 32 ^ reinterpret_cast<std::uintptr_t>(&bits);
  return fmt::format("{}.part{:016x}", path, bits);
}

bool is_temporary_of(const std::string& name, const std::string& path) {
  const std::string start = path + ".part";
  return name.size() == start.size() + 16 && name.starts_with(start) &&
         name.find_first_not_of("0123456789abcdef", start.size()) == name.npos;
}

bool lock_alone(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0; }

/// What processes that were killed left beside `path`: whoever still writes holds a lock.
void remove_abandoned(const std::string& path) {
  std::error_code ignored;
  const std::string name = fs::path(path).filename().string();
  for (fs::directory_iterator entry(folder_of(path), ignored), end; entry != end; entry.increment(ignored)) {
    if (ignored) return;
    if (!is_temporary_of(entry->path().filename().string(), name)) continue;
    const OwnedFile file(open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.number >= 0 && lock_alone(file.number)) fs::remove(entry->path(), ignored);
  }
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

TemporaryFile::TemporaryFile(const std::string& path) : path_(path) {
  remove_abandoned(path);
  open_without_name();
  if (file_ < 0) open_with_name();
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) unlink(name_.c_str());
  if (file_ >= 0) close(file_);
}

/// Only where such a file can be given a name, which a first one shows: that takes /proc too.
void TemporaryFile::open_without_name() {
#ifdef O_TMPFILE
  for (const bool trial : {true, false}) {
    file_ = open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFileMode);
    if (file_ < 0) return;
    lock_alone(file_);
    if (!trial) return;
    const bool named = give_name();
    if (named) unlink(name_.c_str());
    name_.clear();
    close(file_);
    file_ = -1;
    if (!named) return;
  }
#endif
}

void TemporaryFile::open_with_name() {
  for (int i = 0; i < kMostNames; ++i) {
    name_ = temporary_name(path_);
    file_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    error_ = file_ < 0 ? errno : 0;
    if (error_ == EEXIST) continue;
    // Between the two calls somebody may have taken it for abandoned, and removed it.
    struct stat found = {};
    if (file_ < 0 || !lock_alone(file_) || fstat(file_, &found) != 0 || found.st_nlink > 0) break;
    close(file_);
    file_ = -1;
  }
  if (file_ < 0) name_.clear();
}

bool TemporaryFile::give_name() {
  const std::string file = fmt::format("/proc/self/fd/{}", file_);
  for (int i = 0; i < kMostNames; ++i) {
    name_ = temporary_name(path_);
    if (linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    error_ = errno;
    name_.clear();
    if (error_ != EEXIST) break;
  }
  return false;
}

bool TemporaryFile::rename_to_path() {
  if (name_.empty() && !give_name()) return false;
  if (std::rename(name_.c_str(), path_.c_str()) != 0) {
    error_ = errno;
    return false;
  }
  name_.clear();
  return true;
}

}  // namespace mirrorball
