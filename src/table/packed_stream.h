#pragma once

#include <memory>
#include <ostream>
#include <streambuf>

#include "table/file_kind.h"

namespace mirrorball::table {

/// Packs what is written to it and hands it on, in memory that does not grow: by gzip or zstd, or as it is.
/// The same text gives the same bytes.
class PackedStream : public std::ostream {
 public:
  PackedStream(std::ostream& to, Packing packing);
  ~PackedStream() override;

  /// Ends the packed data: without it they are cut off. Nothing may be written after. The state of `to`
  /// tells whether it could take all of it.
  void finish();

  class Packer;  ///< internal

 private:
  std::unique_ptr<Packer> packer_;
};

}  // namespace mirrorball::table
