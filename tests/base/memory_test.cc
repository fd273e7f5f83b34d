#include "base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace mirrorball {
namespace {

TEST(Memory, SizesHaveUnitsOf1024) {
  EXPECT_EQ(bytes_from("2G"), std::uint64_t{2} << 30);
  EXPECT_EQ(bytes_from("1.5 GB"), std::uint64_t{3} << 29);
  EXPECT_EQ(bytes_from("500m"), std::uint64_t{500} << 20);
  EXPECT_EQ(bytes_from("64KiB"), 65536u);
  EXPECT_EQ(bytes_from("123"), 123u);
  EXPECT_EQ(bytes_from("1T"), std::uint64_t{1} << 40);
  for (const char* wrong : {"", "0", "-1G", "G", "much", "2X", "2Gx", "nan", "1e30"})
    EXPECT_EQ(bytes_from(wrong), std::nullopt) << wrong;
  EXPECT_EQ(bytes_text(std::uint64_t{3} << 29), "1.5 GB");
  EXPECT_EQ(bytes_text(500), "500 bytes");
}

TEST(Memory, TheTightestControlGroupCounts) {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("mirrorball_memory_" + std::to_string(getpid()));
  const auto write = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text << "\n";
  };
  const std::uint64_t all = usable_memory(root);
  EXPECT_GT(all, std::uint64_t{1} << 27);
  write("proc/self/cgroup", "0::/job/one");
  write("sys/fs/cgroup/job/one/memory.max", "max");
  EXPECT_EQ(usable_memory(root), all);
  write("sys/fs/cgroup/job/memory.max", "100000000");
  EXPECT_EQ(usable_memory(root), 100000000u);
  write("proc/self/cgroup", "7:memory:/job");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "50000000");
  EXPECT_EQ(usable_memory(root), 50000000u);
  fs::remove_all(root);
}

}  // namespace
}  // namespace mirrorball
