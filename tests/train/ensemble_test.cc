#include "train/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "group/thread_group.h"
#include "train/line_data.h"

namespace mirrorball {
namespace {

Options five() {
  Options options = line::quick();
  options.networks = 5;
  options.epochs = 4;
  return options;
}

std::vector<train::TrainedNetwork> trained(unsigned threads, const ProgressCallback& progress = {},
                                           const train::TrainingRows& rows = line::line_rows(300, 60)) {
  static const net::NetShape shape = line::line_shape();
  return train::train_networks(shape, line::plan_of(five(), rows), rows, group::one_process(), threads,
                               progress);
}

std::vector<float> all_weights(const std::vector<train::TrainedNetwork>& members) {
  std::vector<float> all;
  for (const train::TrainedNetwork& member : members)
    all.insert(all.end(), member.weights.begin(), member.weights.end());
  return all;
}

TEST(Trainer, MembersDoNotDependOnHowTheyAreShared) {
  const std::vector<float> one = all_weights(trained(1));
  for (unsigned threads : {2u, 3u, 4u, 5u, 8u}) EXPECT_EQ(all_weights(trained(threads)), one) << threads;
}

/// A step of several shards, with validation and an early stop.
Options large_steps() {
  Options options = line::quick();
  options.networks = 3;
  options.epochs = 12;
  options.patience = 2;
  options.batch = 700;
  return options;
}

TEST(Trainer, NetworksDoNotDependOnTheNumberOfProcesses) {
  const train::TrainingRows rows = line::line_rows(1400, 60);
  const net::NetShape shape = line::line_shape();
  for (const Options& options : {five(), large_steps()})
    for (const int noise_grid : {0, 64}) {
      Options other = options;
      other.noise_grid = noise_grid;
      const Plan plan = line::plan_of(other, rows);
      const auto alone = train::train_networks(shape, plan, rows, group::one_process(), 1, {});
      for (std::size_t size : {2u, 3u, 4u, 8u, 16u})
        ThreadGroup(size).run([&](const group::Group& group) {
          const auto networks = train::train_networks(shape, plan, rows, group, 1 + group.rank() % 2, {});
          ASSERT_EQ(networks.size(), alone.size());
          EXPECT_EQ(all_weights(networks), all_weights(alone))
              << "process " << group.rank() << " of " << size;
          for (std::size_t i = 0; i < alone.size(); ++i) {
            EXPECT_EQ(networks[i].history.train, alone[i].history.train);
            EXPECT_EQ(networks[i].history.valid, alone[i].history.valid);
          }
        });
    }
}

TEST(Trainer, AProcessThatIsToStopStopsItsTeam) {
  const train::TrainingRows rows = line::line_rows(1400, 60);
  const net::NetShape shape = line::line_shape();
  Options options = large_steps();
  options.networks = 2;
  options.epochs = 1000000;
  const Plan plan = line::plan_of(options, rows);
  ThreadGroup(4).run([&](const group::Group& group) {
    const auto impatient = [&](const Progress& now) { return group.rank() % 2 == 0 || now.epoch < 3; };
    const auto networks = train::train_networks(shape, plan, rows, group, 1, impatient);
    ASSERT_EQ(networks.size(), 2u);
    for (const train::TrainedNetwork& network : networks) {
      EXPECT_TRUE(network.history.stopped);
      EXPECT_EQ(network.history.valid.size(), 3u);
    }
  });
}

TEST(Trainer, TheTimeLimitLeavesTimeForEveryMember) {
  static const net::NetShape shape = line::line_shape();
  const train::TrainingRows rows = line::line_rows(300, 60);
  Options options = five();
  options.epochs = 1000000;
  options.time_limit = 0.5;
  using Clock = std::chrono::steady_clock;
  for (unsigned threads : {1u, 2u}) {
    const auto begin = Clock::now();
    // Ten times the limit is long enough also for a busy machine, and ends a training that knows no limit.
    const auto members = train::train_networks(
        shape, line::plan_of(options, rows), rows, group::one_process(), threads,
        [&](const Progress&) { return Clock::now() - begin < std::chrono::seconds(5); });
    ASSERT_EQ(members.size(), 5u);
    std::size_t fewest = 1000000, most = 0;
    for (const train::TrainedNetwork& member : members) {
      EXPECT_FALSE(member.history.stopped);
      fewest = std::min(fewest, member.history.valid.size());
      most = std::max(most, member.history.valid.size());
    }
    // Some hundred epochs each on a quiet machine. Where the first network takes all, the last has one.
    EXPECT_GT(10 * fewest, most);
    EXPECT_GT(most, 1u);
    EXPECT_GT(Clock::now() - begin, std::chrono::milliseconds(450)) << "time is left over";
  }
}

TEST(Trainer, NewsOfAllMembersReachTheCallingThread) {
  for (unsigned threads : {1u, 2u, 3u}) {
    int epochs = 0;
    double share = 0;
    const auto home = std::this_thread::get_id();
    trained(threads, [&](const Progress& now) {
      EXPECT_EQ(std::this_thread::get_id(), home);
      EXPECT_GE(now.share, share);
      EXPECT_EQ(now.networks, 5);
      share = now.share;
      epochs += now.epoch_share == 0;
      return true;
    });
    EXPECT_EQ(epochs, 5 * 4);
    EXPECT_NEAR(share, 1.0, 1e-12);
  }
}

TEST(Trainer, MembersNotBegunAreLeftOutAfterAStop) {
  for (unsigned threads : {1u, 2u}) {
    const std::vector<train::TrainedNetwork> members =
        trained(threads, [](const Progress& now) { return now.networks_done < 2; });
    EXPECT_GE(members.size(), 2u);
    EXPECT_LE(members.size(), 2u + threads);
    if (threads > 1) continue;  // which of two members is done first is open
    EXPECT_FALSE(members[0].history.stopped);
    EXPECT_EQ(members[0].history.valid.size(), 4u);
  }
}

TEST(Trainer, WhatTheCallbackThrowsReachesTheCaller) {
  const auto angry = [](const Progress&) -> bool { throw std::logic_error("enough"); };
  EXPECT_THROW(trained(2, angry), std::logic_error);
}

/// Side work of some jobs that count, one of which goes on until it is told to stop.
struct CountingJobs {
  std::atomic<int> done = 0;
  std::atomic<bool> stopped = false;
  train::SideWork work;

  explicit CountingJobs(bool endless) {
    work.stop = [this] { stopped = true; };
    for (int i = 0; i < 3; ++i)
      work.jobs.push_back([this, endless, i](ThreadPool& pool) {
        pool.run(4, [](std::size_t, unsigned) {});
        while (endless && i == 0 && !stopped) std::this_thread::yield();
        ++done;
      });
  }
};

TEST(Trainer, SideWorkIsDoneAndLeavesTheMembersAlone) {
  static const net::NetShape shape = line::line_shape();
  const train::TrainingRows rows = line::line_rows(300, 60);
  const Plan plan = line::plan_of(five(), rows);
  const std::vector<train::TrainedNetwork> alone = trained(1, {});
  for (unsigned threads : {1u, 2u, 7u}) {
    CountingJobs jobs(false);
    const auto members = train::train_networks(shape, plan, rows, group::one_process(), threads, {}, nullptr,
                                               engine::default_engine(), jobs.work);
    EXPECT_EQ(jobs.done, 3);
    ASSERT_EQ(members.size(), alone.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(members[i].weights, alone[i].weights));
  }
}

TEST(Trainer, TheCallbackIsAskedDuringSideWorkAndEndsIt) {
  static const net::NetShape shape = line::line_shape();
  const train::TrainingRows rows = line::line_rows(300, 60);
  const Plan plan = line::plan_of(five(), rows);
  const auto not_in_side_work = [](const Progress& now) { return now.network > 0; };
  for (unsigned threads : {1u, 2u}) {
    CountingJobs jobs(true);
    // On one thread the side work comes first: when it is stopped, only the first network is begun.
    const auto members =
        train::train_networks(shape, plan, rows, group::one_process(), threads, not_in_side_work, nullptr,
                              engine::default_engine(), jobs.work);
    EXPECT_TRUE(jobs.stopped);
    EXPECT_GE(jobs.done, 1);
    if (threads > 1) continue;
    EXPECT_EQ(jobs.done, 1);
    ASSERT_EQ(members.size(), 1u);
    EXPECT_TRUE(members[0].history.stopped || members[0].history.valid.size() == 4u);
  }
  CountingJobs jobs(true);
  train::do_side_work(jobs.work, 2, not_in_side_work);
  EXPECT_EQ(jobs.done, 1);
  train::SideWork failing;
  failing.jobs.push_back([](ThreadPool&) { throw std::logic_error("enough"); });
  EXPECT_THROW(train::train_networks(shape, plan, rows, group::one_process(), 2, {}, nullptr,
                                     engine::default_engine(), failing),
               std::logic_error);
  EXPECT_THROW(train::do_side_work(failing, 2, {}), std::logic_error);
}

/// Members after a first training, and all their rows to train on.
struct Refit {
  net::NetShape shape = line::line_shape();
  train::TrainingRows rows = line::line_rows(300, 60);
  Plan plan = line::plan_of(five(), rows);
  std::vector<NetworkHistory> history;
  std::vector<Buffer<float>> weights;

  Refit() {
    for (train::TrainedNetwork& member :
         train::train_networks(shape, plan, rows, group::one_process(), 2, {})) {
      history.push_back(std::move(member.history));
      weights.push_back(std::move(member.weights));
    }
    rows.train.insert(rows.train.end(), rows.valid.begin(), rows.valid.end());
    rows.valid.clear();
  }

  void run(unsigned threads, const ProgressCallback& progress = {},
           const group::Group& group = group::one_process()) {
    train::refit_networks(shape, plan, rows, group, threads, progress, history, weights);
  }
  std::vector<float> member(std::size_t i) const { return {weights[i].begin(), weights[i].end()}; }
};

TEST(Trainer, TheRefitDoesNotDependOnTheNumberOfProcesses) {
  Refit one;
  one.run(1);
  ThreadGroup(3).run([&](const group::Group& group) {
    Refit refit;
    double share = 0;
    refit.run(
        1, [&](const Progress& now) { return share = now.share, true; }, group);
    EXPECT_NEAR(share, 1, 1e-12);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(refit.member(i), one.member(i)) << i;
  });
}

/// Process 0, which has networks 0 and 2, stops before its second: 2 keeps its weights, 1 and 3 get theirs.
TEST(Trainer, AStopInOneProcessLeavesTheNetworksOfTheOthersInTheirPlaces) {
  Refit one;
  one.run(1);
  ThreadGroup(2).run([&](const group::Group& group) {
    Refit refit;
    const std::vector<float> before = refit.member(2);
    refit.run(
        1, [&](const Progress& now) { return group.rank() == 1 || now.network < 3; }, group);
    EXPECT_FALSE(refit.history[2].refit);
    EXPECT_EQ(refit.member(2), before);
    EXPECT_EQ(refit.member(1), one.member(1));
    EXPECT_EQ(refit.member(3), one.member(3));
  });
}

TEST(Trainer, TheRefitDoesNotDependOnThreads) {
  Refit one, three;
  const std::vector<float> before = one.member(4);
  one.run(1);
  three.run(3);
  EXPECT_NE(one.member(4), before);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(one.member(i), three.member(i));
    EXPECT_TRUE(one.history[i].refit && three.history[i].refit);
  }
}

TEST(Trainer, AStoppedRefitKeepsTheWeightsOfThoseNotDone) {
  Refit refit;
  const std::vector<float> first = refit.member(0), last = refit.member(4);
  refit.run(1, [](const Progress& now) { return now.network < 2; });
  EXPECT_TRUE(refit.history[0].refit);
  EXPECT_NE(refit.member(0), first);
  EXPECT_FALSE(refit.history[4].refit);
  EXPECT_EQ(refit.member(4), last);
}

TEST(Trainer, ARefitThatDivergesIsGivenUp) {
  Refit refit;
  const std::vector<float> first = refit.member(0);
  refit.rows.targets[3] = INFINITY;
  refit.run(2);
  EXPECT_FALSE(refit.history[0].refit);
  EXPECT_EQ(refit.member(0), first);
}

TEST(Trainer, AMemberThatDivergesEndsAll) {
  train::TrainingRows rows = line::line_rows(100, 20);
  rows.targets[3] = INFINITY;
  EXPECT_THROW(trained(2, {}, rows), std::runtime_error);
  EXPECT_THROW(trained(
                   3, [](const Progress&) { return true; }, rows),
               std::runtime_error);
}

}  // namespace
}  // namespace mirrorball
