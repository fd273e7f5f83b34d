#pragma once

#include <cstddef>
#include <memory>

#include "table/file_kind.h"

namespace mirrorball::table {

class ByteSource;

/// Unpacks bytes from front to back, in memory that does not grow with them.
class Unpacker {
 public:
  virtual ~Unpacker() = default;

  /// Fills `out`; fewer bytes than asked for mean the end.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// For bytes that must outlive it; none where they are not packed.
std::unique_ptr<Unpacker> unpacker_for(Packing packing, ByteSource& bytes);

}  // namespace mirrorball::table
