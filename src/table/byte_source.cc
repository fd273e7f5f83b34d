#include "table/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace mirrorball::table {
namespace {

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) : ByteSource(path == "-" ? "<stdin>" : path) {
    descriptor_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (descriptor_ < 0 || fstat(descriptor_, &about) != 0) fail(errno);
    if (S_ISDIR(about.st_mode)) {
      close(descriptor_);
      fail(EISDIR);
    }
    if (S_ISREG(about.st_mode)) {
      start_ = lseek(descriptor_, 0, SEEK_CUR);
      size_ = static_cast<std::size_t>(std::max<off_t>(0, about.st_size - start_));
      posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
  }

  ~FileBytes() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  bool can_rewind() const override { return start_ >= 0; }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, out, size);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) fail(errno);
    }
  }

  void restart() override {
    if (lseek(descriptor_, start_, SEEK_SET) < 0) fail(errno);
  }

  std::optional<std::size_t> size() const override { return size_; }

  [[noreturn]] void fail(int reason) const { system_failure("{}: {}", name(), std::strerror(reason)); }

  int descriptor_;
  off_t start_ = -1;  // offset of the first byte; none for a pipe
  std::optional<std::size_t> size_;
};

class MemoryBytes final : public ByteSource {
 public:
  MemoryBytes(std::string_view bytes, const std::string& name)
      : ByteSource(name), bytes_(bytes), left_(bytes) {}

  bool can_rewind() const override { return true; }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const std::size_t count = left_.copy(out, size);
    left_.remove_prefix(count);
    return count;
  }

  void restart() override { left_ = bytes_; }
  std::optional<std::size_t> size() const override { return bytes_.size(); }

  std::string_view bytes_, left_;
};

}  // namespace

std::size_t ByteSource::read(char* out, std::size_t size) {
  std::size_t filled = std::min(size, peeked_.size());
  std::copy_n(peeked_.data(), filled, out);
  peeked_.erase(0, filled);
  while (filled < size) {
    const std::size_t more = read_some(out + filled, size - filled);
    if (more == 0) break;
    filled += more;
  }
  position_ += filled;
  return filled;
}

void ByteSource::rewind() {
  peeked_.clear();
  position_ = 0;
  restart();
}

std::optional<double> ByteSource::share() const {
  const std::optional<std::size_t> all = size();
  if (!all) return std::nullopt;
  return *all == 0 ? 1 : std::min(1.0, static_cast<double>(position_) / static_cast<double>(*all));
}

std::string_view ByteSource::peek(std::size_t size) {
  std::string first(size, '\0');
  first.resize(read(first.data(), size));
  peeked_ = std::move(first);
  position_ = 0;
  return peeked_;
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) { return std::make_unique<FileBytes>(path); }

std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes, const std::string& name) {
  return std::make_unique<MemoryBytes>(bytes, name);
}

}  // namespace mirrorball::table
