#include "group/group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "group/parts.h"
#include "group/thread_group.h"
#include "group/together.h"

namespace mirrorball {
namespace {

std::vector<std::byte> bytes_of(std::size_t value) { return std::vector<std::byte>(value, std::byte(value)); }

TEST(Group, OneProcessHasEverythingAlready) {
  const group::Group& alone = group::one_process();
  EXPECT_EQ(alone.size(), 1u);
  EXPECT_EQ(alone.rank(), 0u);
  const std::vector<std::byte> bytes = bytes_of(3);
  EXPECT_EQ(alone.gather(bytes), (std::vector<std::vector<std::byte>>{bytes}));
  EXPECT_TRUE(group::any_of(alone, true));
  EXPECT_FALSE(group::any_of(alone, false));
}

TEST(Group, SeveralGatherBytes) {
  ThreadGroup(3).run([&](const group::Group& group) {
    EXPECT_EQ(group.gather(bytes_of(group.rank())),
              (std::vector<std::vector<std::byte>>{{}, bytes_of(1), bytes_of(2)}));
    EXPECT_TRUE(group::any_of(group, group.rank() == 2));
    EXPECT_FALSE(group::any_of(group, false));
  });
}

TEST(Group, APartOfThemIsAGroup) {
  ThreadGroup(5).run([&](const group::Group& all) {
    const bool early = all.rank() < 2;
    const group::SubGroup group(all, early ? 0 : 2, early ? 2 : 3);
    EXPECT_EQ(group.rank(), early ? all.rank() : all.rank() - 2);
    const auto gathered = group.gather(bytes_of(all.rank()));
    ASSERT_EQ(gathered.size(), early ? 2u : 3u);
    for (std::size_t i = 0; i < gathered.size(); ++i)
      EXPECT_EQ(gathered[i], bytes_of(early ? i : i + 2)) << "process " << all.rank();
  });
}

TEST(Group, PartsOfArraysReachThoseWhoWantThem) {
  ThreadGroup(3).run([&](const group::Group& group) {
    const std::size_t own = group.rank();
    // Five arrays of seven values; a process fills its own with 10 array + place, the others with -1.
    const group::Bounds owned = group::even_parts(group, 5), parts = group::even_parts(group, 7);
    EXPECT_EQ(owned, (group::Bounds{0, 1, 3, 5}));
    EXPECT_EQ(parts, (group::Bounds{0, 2, 4, 7}));
    std::vector<std::vector<int>> arrays(5, std::vector<int>(7, -1));
    std::vector<int*> firsts;
    for (std::vector<int>& array : arrays) firsts.push_back(array.data());
    for (std::size_t array = owned[own]; array < owned[own + 1]; ++array)
      for (std::size_t i = 0; i < 7; ++i) arrays[array][i] = static_cast<int>(10 * array + i);
    std::vector<double> values(7, -1);
    for (std::size_t i = parts[own]; i < parts[own + 1]; ++i) values[i] = static_cast<double>(i);
    group::PartsExchange exchange(group);
    exchange.collect<int>(firsts, owned, parts);
    exchange.share(std::span(values), parts);
    exchange.run();
    EXPECT_EQ(values, (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
    for (std::size_t array = 0; array < 5; ++array)
      for (std::size_t i = 0; i < 7; ++i) {
        const bool here =
            (array >= owned[own] && array < owned[own + 1]) || (i >= parts[own] && i < parts[own + 1]);
        EXPECT_EQ(arrays[array][i], here ? static_cast<int>(10 * array + i) : -1) << array << ", " << i;
      }
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
