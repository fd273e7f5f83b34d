#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/buffer.h"

namespace mirrorball::table {

/// Values in blocks of one size, so that a column grows without being copied and is given back piece by
/// piece. The last block has the room of what was added to it, doubled as it fills up: a table of a few rows
/// is small.
template <class T>
class Blocks {
 public:
  static constexpr std::size_t kRows = 65536;

  std::size_t size() const { return size_; }

  T operator[](std::size_t row) const {
    assert(row < size_);
    return blocks_[row / kRows][row % kRows];
  }

  /// Adds `count` values: write(out, n) is called for one stretch after the other.
  template <class Write>
  void append(std::size_t count, Write write) {
    while (count > 0) {
      const std::size_t used = size_ % kRows;
      if (used == 0) {
        blocks_.emplace_back(blocks_.empty() ? std::min(count, kRows) : kRows);
      } else if (used == blocks_.back().size()) {
        resize_last(std::min(kRows, std::max(2 * used, used + count)));
      }
      const std::size_t n = std::min(count, blocks_.back().size() - used);
      write(blocks_.back().data() + used, n);
      size_ += n;
      count -= n;
    }
  }

  /// Calls read(values, n) for the stretches of rows [begin, end), in order.
  template <class Read>
  void visit(std::size_t begin, std::size_t end, Read read) const {
    assert(begin <= end && end <= size_);
    while (begin < end) {
      const std::size_t n = std::min(end - begin, kRows - begin % kRows);
      read(blocks_[begin / kRows].data() + begin % kRows, n);
      begin += n;
    }
  }

  /// The last block takes the room it needs.
  void trim() {
    const std::size_t used = size_ % kRows;
    if (used > 0 && used < blocks_.back().size()) resize_last(used);
  }

  /// Frees the blocks of which every row lies before `row`.
  void discard_before(std::size_t row) {
    const std::size_t whole = row >= size_ ? blocks_.size() : row / kRows;
    for (std::size_t i = 0; i < whole; ++i) blocks_[i] = Buffer<T>();
  }

 private:
  void resize_last(std::size_t room) {
    Buffer<T> last(room);
    std::copy_n(blocks_.back().data(), size_ % kRows, last.data());
    blocks_.back() = std::move(last);
  }

  std::vector<Buffer<T>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace mirrorball::table
