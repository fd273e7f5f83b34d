#include "train/row_limit.h"

#include <gtest/gtest.h>

namespace mirrorball {
namespace {

TEST(RowLimit, RowsBeyond32BitsAreRefusedWithBothNumbers) {
  train::check_training_rows(4294967295, "");
  try {
    train::check_training_rows(4294967296, "big.csv: ");
    FAIL() << "taken";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const char* part : {"big.csv: 4294967296 rows", "4294967295", "random sample"})
      EXPECT_NE(message.find(part), message.npos) << message;
  }
}

}  // namespace
}  // namespace mirrorball
