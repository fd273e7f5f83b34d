#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "table/byte_source.h"

namespace mirrorball::table {

class Unpacker;

/// The text of a source of bytes, unpacked on the way when it is gzip or zstd.
class TextSource {
 public:
  explicit TextSource(std::unique_ptr<ByteSource> bytes);
  ~TextSource();

  /// Fills `out`; fewer bytes than asked for mean the end.
  std::size_t read(char* out, std::size_t size);

  bool can_rewind() const { return bytes_->can_rewind(); }
  void rewind();
  const std::string& name() const { return bytes_->name(); }
  std::optional<double> share() const { return bytes_->share(); }

 private:
  void detect();

  std::unique_ptr<ByteSource> bytes_;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace mirrorball::table
