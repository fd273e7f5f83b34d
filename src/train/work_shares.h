#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mirrorball::train {

/// A network, and the processes [first, first + count) that train it.
struct WorkShare {
  std::uint32_t network;
  std::size_t first, count;

  bool has(std::size_t process) const { return process >= first && process < first + count; }
};

/// Which processes train which networks, in the order in which each process takes them. As many networks as
/// there are processes go one to each, as often as that is possible, since they need not talk. The rest goes
/// to teams of equal size, which share the steps: of the sizes up to `shares`, into which a step can be cut,
/// the one at which the last network is done first; the smaller of two.
///
///   time of teams of g of n processes with r networks left = ceil(r / floor(n / g)) ceil(shares / (g
///   threads))
std::vector<WorkShare> share_work(std::size_t networks, std::size_t processes, std::size_t shares,
                                  std::size_t threads);

}  // namespace mirrorball::train
