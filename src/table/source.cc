#include "table/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "table/gunzip.h"

namespace mirrorball {
namespace {

constexpr char kGzip[] = "\x1f\x8b";

}  // namespace

File::File(const std::string& path) : name_(path == "-" ? "<stdin>" : path) {
  descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (descriptor_ < 0 || fstat(descriptor_, &about) != 0)
    system_failure("{}: {}", name_, std::strerror(errno));
  if (S_ISDIR(about.st_mode)) {
    close(descriptor_);
    system_failure("{}: {}", name_, std::strerror(EISDIR));
  }
  if (S_ISREG(about.st_mode)) {
    start_ = lseek(descriptor_, 0, SEEK_CUR);
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

File::~File() {
  if (descriptor_ != STDIN_FILENO) close(descriptor_);
}

std::size_t File::read(char* out, std::size_t size) {
  std::size_t filled = std::min(size, peeked_.size());
  std::copy_n(peeked_.data(), filled, out);
  peeked_.erase(0, filled);
  while (filled < size) {
    const std::size_t more = read_some(out + filled, size - filled);
    if (more == 0) break;
    filled += more;
  }
  return filled;
}

std::size_t File::read_some(char* out, std::size_t size) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, out, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) system_failure("{}: {}", name_, std::strerror(errno));
  }
}

void File::rewind() {
  peeked_.clear();
  if (lseek(descriptor_, start_, SEEK_SET) < 0) system_failure("{}: {}", name_, std::strerror(errno));
}

bool File::starts_with_gzip() {
  char first[2];
  peeked_.assign(first, read(first, sizeof first));
  return peeked_ == kGzip;
}

Source::Source(const std::string& path) : file_(path) { detect(); }

Source::~Source() = default;

std::size_t Source::read(char* out, std::size_t size) {
  return gunzip_ ? gunzip_->read(out, size) : file_.read(out, size);
}

void Source::rewind() {
  file_.rewind();
  detect();
}

void Source::detect() { gunzip_ = file_.starts_with_gzip() ? std::make_unique<Gunzip>(file_) : nullptr; }

}  // namespace mirrorball
