#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mirrorball::group {

/// Bytes for another process, and bytes of another process.
struct Outgoing {
  std::size_t to;
  std::span<const std::byte> bytes;
};
struct Incoming {
  std::size_t from;
  std::span<std::byte> bytes;
};

/// Processes that fit one model together; one process alone is the usual case. All of them make the same
/// calls in the same order, one thread of each at a time. A failed process throws in all others.
class Group {
 public:
  virtual ~Group() = default;

  virtual std::size_t rank() const = 0;  ///< this process, from 0
  virtual std::size_t size() const = 0;

  /// Sends and receives all of these, side by side. What one process sends to another comes in its order and
  /// in the sizes it is awaited in.
  virtual void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) const = 0;

  /// The bytes of all processes, by rank, for every process; they may differ in number.
  std::vector<std::vector<std::byte>> gather(std::vector<std::byte> own) const;

  /// Seconds that this process has spent in exchanges.
  virtual double waited() const { return 0; }

  /// Ends all processes at once, for a failure that the others cannot know of. One process alone just goes
  /// on, and fails.
  virtual void end_all(int /*code*/) const {}
};

/// Processes [first, first + count) of a group, as a group of their own.
class SubGroup final : public Group {
 public:
  /// `whole` must outlive it; its process must be one of them.
  SubGroup(const Group& whole, std::size_t first, std::size_t count)
      : whole_(whole), first_(first), count_(count) {}

  std::size_t rank() const override { return whole_.rank() - first_; }
  std::size_t size() const override { return count_; }
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) const override;
  double waited() const override { return whole_.waited(); }
  void end_all(int code) const override { whole_.end_all(code); }

 private:
  const Group& whole_;
  std::size_t first_, count_;
};

/// A group of this process alone.
const Group& one_process();

/// The processes that fit together with this one: this one alone, unless another group was set, as
/// `join_launched` does.
const Group& default_group();
void set_default_group(const Group& group);

}  // namespace mirrorball::group
