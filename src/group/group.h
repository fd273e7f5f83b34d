#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mirrorball::group {

/// Processes that fit one model together; one process alone is the usual case. All of them make the same
/// calls in the same order. A failed process throws in all others.
class Group {
 public:
  virtual ~Group() = default;

  virtual std::size_t rank() const = 0;  ///< this process, from 0
  virtual std::size_t size() const = 0;

  /// Gives every process the bytes of `root`; the others need not know their number.
  virtual void broadcast(std::vector<std::byte>& bytes, std::size_t root) const = 0;

  /// The bytes of all processes, by rank, for every process.
  virtual std::vector<std::vector<std::byte>> gather(std::vector<std::byte> own) const = 0;

  /// values <- their sum over the processes, added in the order of the ranks: the same bits everywhere.
  virtual void sum(std::span<float> values) const = 0;
};

/// A group of this process alone.
const Group& one_process();

/// The processes that were started together with this one. A way to start several is a folder beside this,
/// and a line here.
const Group& default_group();

}  // namespace mirrorball::group
