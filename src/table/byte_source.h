#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mirrorball::table {

/// Bytes that are read from front to back, and their name in errors.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills `out`; fewer bytes than asked for mean the end.
  std::size_t read(char* out, std::size_t size);

  virtual bool can_rewind() const = 0;
  void rewind();
  const std::string& name() const { return name_; }

  /// How much of it was read, from 0 to 1; none where the end is not known.
  std::optional<double> share() const;

  /// The first bytes, fewer than `size` only where there are no more. To be called before the first read.
  std::string_view peek(std::size_t size);

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  /// At least one byte, at most `size`; 0 at the end.
  virtual std::size_t read_some(char* out, std::size_t size) = 0;
  virtual void restart() = 0;
  virtual std::optional<std::size_t> size() const = 0;

  std::string name_;
  std::string peeked_;
  std::size_t position_ = 0;
};

/// A file; "-" is standard input.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Bytes that lie in memory, and stay there while they are read.
std::unique_ptr<ByteSource> bytes_in_memory(std::string_view bytes, const std::string& name);

}  // namespace mirrorball::table
