#include "base/cores.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace mirrorball {
namespace {

/// A made-up /proc and /sys.
class CpuQuota : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(root); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text << "\n";
  }
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("mirrorball_cores_" + std::to_string(getpid()));
};

TEST_F(CpuQuota, NoneWithoutControlGroups) { EXPECT_TRUE(std::isinf(cpu_quota(root))); }

TEST_F(CpuQuota, Version2) {
  write("proc/self/cgroup", "0::/work.slice/one");
  EXPECT_TRUE(std::isinf(cpu_quota(root)));
  write("sys/fs/cgroup/work.slice/one/cpu.max", "150000 100000");
  EXPECT_EQ(cpu_quota(root), 1.5);
  write("sys/fs/cgroup/work.slice/one/cpu.max", "max 100000");
  EXPECT_TRUE(std::isinf(cpu_quota(root)));
}

TEST_F(CpuQuota, TheTightestGroupAboveCounts) {
  write("proc/self/cgroup", "0::/work.slice/one");
  write("sys/fs/cgroup/work.slice/one/cpu.max", "800000 100000");
  write("sys/fs/cgroup/work.slice/cpu.max", "50000 25000");
  EXPECT_EQ(cpu_quota(root), 2);
  write("sys/fs/cgroup/cpu.max", "100000 100000");
  EXPECT_EQ(cpu_quota(root), 1);
}

// A container may see the path of the host, which is not there, and its own group as the topmost.
TEST_F(CpuQuota, AContainerSeesItsOwnGroupAtTheTop) {
  write("proc/self/cgroup", "0::/docker/0123abcd");
  write("sys/fs/cgroup/cpu.max", "250000 100000");
  EXPECT_EQ(cpu_quota(root), 2.5);
}

TEST_F(CpuQuota, Version1) {
  write("proc/self/cgroup", "7:memory:/job\n4:cpu,cpuacct:/job\n3:cpuset:/job");
  for (const char* mount : {"cpu", "cpu,cpuacct"}) {
    const std::string group = std::string("sys/fs/cgroup/") + mount + "/job/";
    write(group + "cpu.cfs_period_us", "100000");
    write(group + "cpu.cfs_quota_us", "-1");
    EXPECT_TRUE(std::isinf(cpu_quota(root))) << mount;
    write(group + "cpu.cfs_quota_us", "320000");
    EXPECT_EQ(cpu_quota(root), 3.2) << mount;
    std::filesystem::remove_all(root / group);
  }
}

TEST_F(CpuQuota, DamagedFilesAreNoQuota) {
  write("proc/self/cgroup", "what\n\n0::/one\n2:cpu:/one");
  write("sys/fs/cgroup/one/cpu.max", "150000");
  write("sys/fs/cgroup/cpu/one/cpu.cfs_quota_us", "many");
  write("sys/fs/cgroup/cpu/one/cpu.cfs_period_us", "0");
  EXPECT_TRUE(std::isinf(cpu_quota(root)));
}

TEST(Cores, FollowTheAffinity) {
  EXPECT_GE(cores(), 1u);
  EXPECT_LE(cores(), std::max(1u, std::thread::hardware_concurrency()));
  unsigned narrow = 0;
  std::thread([&] {  // the mask is a thread's own
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) {
        CPU_SET(cpu, &one);
        break;
      }
    sched_setaffinity(0, sizeof one, &one);
    narrow = cores();
  })
      .join();
  EXPECT_EQ(narrow, 1u);
}

}  // namespace
}  // namespace mirrorball
