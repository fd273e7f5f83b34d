#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/level.h"

namespace mirrorball {
namespace {

/// Settles the instruction set before the first test, so that MIRRORBALL_CPU holds for all of them, and fails
/// the run when another one is in use. A level this machine does not have skips the run; CTest knows that by
/// the words.
class LevelEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* forced = std::getenv("MIRRORBALL_CPU");
    const auto here = kernels::available_levels();
    if (forced && std::find(here.begin(), here.end(), forced) == here.end())
      GTEST_SKIP() << "this machine has no " << forced;
    ASSERT_EQ(kernels::cpu_level().name, forced ? forced : here.back());
  }
};

[[maybe_unused]] const auto* const registered = ::testing::AddGlobalTestEnvironment(new LevelEnvironment);

}  // namespace
}  // namespace mirrorball
