#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/level.h"

namespace mirrorball {
namespace {

/// Settles the instruction set before the first test, so that MIRRORBALL_CPU holds for all of them. A level
/// this machine does not have skips the run.
class LevelEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* forced = std::getenv("MIRRORBALL_CPU");
    const auto here = available_levels();
    if (forced && std::find(here.begin(), here.end(), forced) == here.end())
      GTEST_SKIP() << "this machine has no " << forced;
    cpu_level();
  }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new LevelEnvironment);

}  // namespace
}  // namespace mirrorball
