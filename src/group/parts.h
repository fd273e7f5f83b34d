#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/cut.h"
#include "group/group.h"

namespace mirrorball::group {

/// The parts of something that the processes of a group have: process r has [bounds[r], bounds[r + 1]).
using Bounds = std::vector<std::size_t>;

/// Parts of [0, count), as even as whole numbers allow.
inline Bounds even_parts(const Group& group, std::size_t count) {
  Bounds bounds;
  for (std::size_t r = 0; r <= group.size(); ++r) bounds.push_back(cut(count, group.size(), r));
  return bounds;
}

/// Parts of arrays that processes give each other, all of them in one exchange.
class PartsExchange {
 public:
  explicit PartsExchange(const Group& group) : group_(group) {}

  /// Each process has filled its part of `values`: all get the whole.
  template <class T>
  void share(std::span<T> values, const Bounds& bounds) {
    const auto part = [&](std::size_t r) { return values.subspan(bounds[r], bounds[r + 1] - bounds[r]); };
    for_others([&](std::size_t other) {
      out_.push_back({other, std::as_bytes(part(group_.rank()))});
      in_.push_back({other, std::as_writable_bytes(part(other))});
    });
  }

  /// Of several arrays of one length each process has filled some, process r those of `owned`: it gets its
  /// part of all of them, by `parts`. The rest of those that it does not own stays as it is.
  template <class T>
  void collect(std::span<T* const> arrays, const Bounds& owned, const Bounds& parts) {
    const std::size_t own = group_.rank();
    const auto part = [&](std::size_t array, std::size_t r) {
      return std::span<T>(arrays[array] + parts[r], parts[r + 1] - parts[r]);
    };
    for_others([&](std::size_t other) {
      for (std::size_t array = owned[own]; array < owned[own + 1]; ++array)
        out_.push_back({other, std::as_bytes(part(array, other))});
      for (std::size_t array = owned[other]; array < owned[other + 1]; ++array)
        in_.push_back({other, std::as_writable_bytes(part(array, own))});
    });
  }

  void run() {
    group_.exchange(out_, in_);
    out_.clear();
    in_.clear();
  }

 private:
  template <class Add>
  void for_others(const Add& add) {
    for (std::size_t other = 0; other < group_.size(); ++other)
      if (other != group_.rank()) add(other);
  }

  const Group& group_;
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
};

}  // namespace mirrorball::group
