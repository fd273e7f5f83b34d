#include "table/unpacker.h"

#include "table/gunzip.h"
#include "table/unzstd.h"

namespace mirrorball::table {

std::unique_ptr<Unpacker> unpacker_for(Packing packing, ByteSource& bytes) {
  if (packing == Packing::kGzip) return std::make_unique<Gunzip>(bytes);
  if (packing == Packing::kZstd) return std::make_unique<Unzstd>(bytes);
  return nullptr;
}

}  // namespace mirrorball::table
