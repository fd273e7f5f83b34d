#include "group/group.h"

#include <gtest/gtest.h>

#include "group/thread_group.h"

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

}  // namespace
}  // namespace mirrorball
