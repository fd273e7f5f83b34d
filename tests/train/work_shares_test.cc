#include "train/work_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace mirrorball {
namespace {

/// Time until the last process is done, in shards; fails where a network is missing or a team is torn.
std::size_t time_of(std::size_t networks, std::size_t processes, std::size_t shares,
                    std::size_t threads = 1) {
  std::map<std::uint32_t, int> seen;
  std::vector<std::size_t> time(processes, 0);
  for (const train::WorkShare& one : train::share_work(networks, processes, shares, threads)) {
    ++seen[one.network];
    EXPECT_LE(one.first + one.count, processes);
    EXPECT_LE(one.count, std::max<std::size_t>(1, shares));
    const std::size_t begin = time[one.first];
    for (std::size_t i = one.first; i < one.first + one.count; ++i) {
      EXPECT_EQ(time[i], begin) << "a process of a team comes late";
      time[i] += (shares + one.count * threads - 1) / (one.count * threads);
    }
  }
  EXPECT_EQ(seen.size(), networks);
  for (const auto& [network, times] : seen) EXPECT_EQ(times, 1) << network;
  return *std::max_element(time.begin(), time.end());
}

TEST(WorkShares, ManyProcessesShareTheStepsOfFewNetworks) {
  EXPECT_EQ(time_of(6, 1, 8), 48u);
  EXPECT_EQ(time_of(6, 2, 8), 24u);
  EXPECT_EQ(time_of(6, 3, 8), 16u);
  EXPECT_EQ(time_of(6, 4, 8), 12u);  // four networks alone, two by two each
  EXPECT_EQ(time_of(6, 6, 8), 8u);
  EXPECT_EQ(time_of(6, 8, 8), 6u);
  EXPECT_EQ(time_of(6, 16, 8), 3u);  // two teams of eight
  EXPECT_EQ(time_of(6, 64, 8), 1u);
  EXPECT_EQ(time_of(1, 16, 8), 1u);
}

TEST(WorkShares, TeamsAreAsSmallAsServes) {
  for (const train::WorkShare& one : train::share_work(6, 12, 8, 1)) EXPECT_EQ(one.count, 2u);
  for (const train::WorkShare& one : train::share_work(1, 3, 8, 8)) EXPECT_EQ(one.count, 1u);  // threads do
  for (const train::WorkShare& one : train::share_work(6, 16, 1, 1)) EXPECT_EQ(one.count, 1u);
}

TEST(WorkShares, EveryNetworkHasItsTeam) {
  for (std::size_t networks = 1; networks <= 10; ++networks)
    for (std::size_t processes = 1; processes <= 20; ++processes)
      for (std::size_t shares : {1u, 2u, 4u, 8u})
        for (std::size_t threads : {1u, 3u}) time_of(networks, processes, shares, threads);
}

}  // namespace
}  // namespace mirrorball
