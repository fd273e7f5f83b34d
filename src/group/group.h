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

  /// Ends all processes at once, for a failure that the others cannot know of. One process alone just goes
  /// on, and fails.
  virtual void end_all(int /*code*/) const {}
};

/// A group of this process alone.
const Group& one_process();

/// The processes that fit together with this one: this one alone, unless another group was set, as
/// `join_launched` does.
const Group& default_group();
void set_default_group(const Group& group);

}  // namespace mirrorball::group
