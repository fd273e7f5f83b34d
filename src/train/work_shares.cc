#include "train/work_shares.h"

#include <algorithm>

namespace mirrorball::train {
namespace {

std::size_t ceil_of(std::size_t count, std::size_t parts) { return (count + parts - 1) / parts; }

std::size_t team_size(std::size_t networks, std::size_t processes, std::size_t shares, std::size_t threads) {
  const auto time = [&](std::size_t size) {
    return ceil_of(networks, processes / size) * ceil_of(shares, size * threads);
  };
  std::size_t best = 1;
  for (std::size_t size = 2; size <= std::min(shares, processes); ++size)
    if (time(size) < time(best)) best = size;
  return best;
}

}  // namespace

std::vector<WorkShare> share_work(std::size_t networks, std::size_t processes, std::size_t shares,
                                  std::size_t threads) {
  const std::size_t rest = networks % processes, alone = networks - rest;
  std::vector<WorkShare> work;
  for (std::size_t i = 0; i < alone; ++i) work.push_back({static_cast<std::uint32_t>(i), i % processes, 1});
  const std::size_t size = team_size(rest, processes, shares, threads), teams = processes / size;
  for (std::size_t i = 0; i < rest; ++i)
    work.push_back({static_cast<std::uint32_t>(alone + i), i % teams * size, size});
  return work;
}

}  // namespace mirrorball::train
