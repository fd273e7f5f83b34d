#include "group/group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "group/thread_group.h"
#include "group/together.h"

namespace mirrorball {
namespace {

std::vector<std::byte> bytes_of(std::size_t value) { return std::vector<std::byte>(value, std::byte(value)); }

TEST(Group, OneProcessHasEverythingAlready) {
  const group::Group& alone = group::one_process();
  EXPECT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.rank(), 0u);
  std::vector<std::byte> bytes = bytes_of(3);
  alone.broadcast(bytes, 0);
  EXPECT_EQ(bytes, bytes_of(3));
  EXPECT_EQ(alone.gather(bytes), (std::vector<std::vector<std::byte>>{bytes}));
  std::vector<float> values = {1.5f, -2};
  alone.sum(values);
  EXPECT_EQ(values, (std::vector<float>{1.5f, -2}));
}

TEST(Group, SeveralExchangeBytesAndSumInTheOrderOfRanks) {
  const float parts[] = {1e8f, 1, -1e8f};  // another order gives another sum
  ThreadGroup(3).run([&](const group::Group& group) {
    std::vector<std::byte> bytes = bytes_of(group.rank() + 1);
    EXPECT_EQ(group.gather(bytes),
              (std::vector<std::vector<std::byte>>{bytes_of(1), bytes_of(2), bytes_of(3)}));
    group.broadcast(bytes, 1);
    EXPECT_EQ(bytes, bytes_of(2));
    std::vector<float> values = {parts[group.rank()]};
    group.sum(values);
    EXPECT_EQ(values[0], 0.0f);
  });
}

TEST(Group, WhatFailsInOneFailsInAllWithOneMessage) {
  std::mutex lock;
  std::vector<std::string> said(3), elsewhere(3);
  ThreadGroup(3).run([&](const group::Group& group) {
    EXPECT_EQ(group::together(group, [&] { return group.rank() + 7; }), group.rank() + 7);
    const auto body = [&]() -> int {
      if (group.rank() > 0) throw std::runtime_error("no file " + std::to_string(group.rank()));
      return 1;
    };
    std::string mine, others;
    try {
      group::together(group, body);
    } catch (const group::FailedElsewhere& error) {
      others = error.what();
    } catch (const std::invalid_argument& error) {
      mine = error.what();
    }
    const std::lock_guard hold(lock);
    said[group.rank()] = mine;
    elsewhere[group.rank()] = others;
  });
  EXPECT_EQ(said, (std::vector<std::string>{"process 1 of 3: no file 1", "", ""}));
  EXPECT_EQ(elsewhere, (std::vector<std::string>{"", "no file 1", "no file 1"}));
}

TEST(Group, DifferencesAreFoundInAll) {
  std::atomic<int> refused = 0;
  ThreadGroup(3).run([&](const group::Group& group) {
    group::check_same(group, "options", "other options");
    try {
      group::check_same(group, group.rank() == 2 ? "b" : "a", "other options");
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("process 2 of 3 has other options than process 0"),
                std::string::npos);
      ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
}

}  // namespace
}  // namespace mirrorball
