#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file_stream.h"
#include "base/fingerprint.h"
#include "rows/memory_rows.h"

namespace mirrorball::rows {

/// How a row lies in a cache: its numbers and targets in 4 bytes each, to the bit; its weight in 4, if rows
/// have one; its codes in 2, or in 4 where there are too many learned rows for that; zeros up to 4 bytes.
struct CacheLayout {
  std::size_t numbers = 0, codes = 0, targets = 1;
  bool weights = false, wide_codes = false;

  static constexpr std::size_t kMostNarrowRows = 65535;  ///< the last 16-bit number is kNothing
  static bool needs_wide(std::size_t learned_rows) { return learned_rows > kMostNarrowRows; }

  std::size_t row_bytes() const {
    const std::size_t floats = numbers + targets + (weights ? 1 : 0);
    return 4 * floats + (wide_codes ? 4 * codes : (2 * codes + 3) / 4 * 4);
  }
  void pack(const MemoryRows& rows, std::size_t row, char* to) const;
  /// Writes the parts of a packed row that are wanted to place `i` of the block.
  void unpack(const char* from, const RowBlock& to, std::size_t i) const;
};

/// Encoded rows in a file without a name, which ends with this. Read from several threads at once.
class RowCache {
 public:
  const CacheLayout& layout() const { return layout_; }
  std::size_t rows() const { return rows_; }
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// Copies `count` packed rows from `first` on.
  void read(std::size_t first, std::size_t count, char* to) const;

 private:
  friend class RowCacheWriter;
  RowCache(int file, const CacheLayout& layout) : file_(file), layout_(layout) {}

  OwnedFile file_;
  CacheLayout layout_;
  std::size_t rows_ = 0;
  std::uint64_t fingerprint_ = 0;
};

/// Writes a cache, once, from the first row to the last.
class RowCacheWriter {
 public:
  /// Asks the file system for the space of so many rows at once, so that a full disk is known before the
  /// work.
  RowCacheWriter(const std::string& folder, const CacheLayout& layout, std::size_t rows);

  /// Adds the rows `which` of a block.
  void add(const MemoryRows& block, std::span<const std::size_t> which);
  std::shared_ptr<const RowCache> finish();

 private:
  [[noreturn]] void fail(int error) const;

  std::string folder_;
  std::uint64_t bytes_wanted_;
  std::shared_ptr<RowCache> cache_;
  std::vector<char> packed_;
  Fingerprint print_;
};

}  // namespace mirrorball::rows
