#include "engine/device.h"

#include <gtest/gtest.h>

#include "mirrorball/machine.h"

namespace mirrorball {
namespace {

TEST(Device, AWordThatIsNoDeviceIsRefused) {
  for (const char* word : {"", "CPU", "gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda:99999999999"})
    EXPECT_THROW(engine::choose_engine(word), std::invalid_argument) << word;
  EXPECT_EQ(choose_device("cpu").name, "cpu");
}

}  // namespace
}  // namespace mirrorball
