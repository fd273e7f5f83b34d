#include "mirrorball/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "model/toy.h"
#include "reference/refusal.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

struct Crash {};

/// A folder of its own for the checkpoint.
class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest()
      : parent_(fs::temp_directory_path() / ("mirrorball_checkpoint_" + std::to_string(getpid()))) {
    fs::create_directories(parent_);
    checkpoint_.folder = (parent_ / "m.checkpoint").string();
    checkpoint_.seconds = 0.002;
  }
  ~CheckpointTest() override {
    std::error_code ignored;
    fs::remove_all(parent_, ignored);
  }

  static Options options() {
    Options options = toy::options();
    options.networks = 3;
    options.width = 16;
    options.cosines = 8;
    options.forest = 0;
    options.calibrate = Calibrate::kNone;
    options.epochs = 12;
    return options;
  }

  /// A fit that ends the process, so to say, when the callback is called for the n-th time; 0: never.
  std::string fitted(int crash_at, bool resume, const Options& options = CheckpointTest::options(),
                     std::uint64_t table_seed = 1, std::size_t rows = 300) const {
    Checkpoint checkpoint = checkpoint_;
    checkpoint.resume = resume;
    int calls = 0;
    return fit(
               toy::table(rows, table_seed), toy::roles(), options,
               [&](const Progress&) {
                 if (++calls == crash_at) throw Crash();
                 return true;
               },
               0, checkpoint)
        .to_bytes();
  }

  fs::path parent_;
  Checkpoint checkpoint_;
};

TEST_F(CheckpointTest, AFitThatWasCutOffGivesTheSameBytes) {
  const std::string whole = fit(toy::table(300), toy::roles(), options()).to_bytes();
  int crashes = 0;
  for (const int calls : {16, 10, 12, 8, 14}) try {
      EXPECT_EQ(fitted(calls, true), whole);
    } catch (const Crash&) {
      ++crashes;
    }
  EXPECT_GT(crashes, 2);
  EXPECT_TRUE(has_checkpoint(checkpoint_.folder));
  EXPECT_EQ(fitted(0, true), whole);
  EXPECT_EQ(fitted(0, true), whole) << "all networks are there already";
  EXPECT_EQ(fitted(0, false), whole) << "and need not be used";
  remove_checkpoint(checkpoint_.folder);
  EXPECT_FALSE(fs::exists(checkpoint_.folder));
}

TEST_F(CheckpointTest, WithoutACheckpointAResumedFitBegins) {
  EXPECT_FALSE(has_checkpoint(checkpoint_.folder));
  EXPECT_EQ(fitted(0, true), fit(toy::table(300), toy::roles(), options()).to_bytes());
}

TEST_F(CheckpointTest, AShortFitWritesNothing) {
  checkpoint_.seconds = 600;
  fitted(0, false);
  EXPECT_FALSE(fs::exists(checkpoint_.folder));
}

TEST_F(CheckpointTest, OneOfAnotherFitIsRefusedInWords) {
  fitted(0, false);
  Options other = options();
  other.width = 24;
  const auto expect_words = [&](const std::string& text, std::initializer_list<std::string> words) {
    for (const std::string& word : words)
      EXPECT_NE(text.find(word), std::string::npos) << text << " lacks " << word;
  };
  expect_words(refusal([&] { fitted(0, true, other); }),
               {checkpoint_.folder, "another fit", "width is \"16\" there and \"24\" here"});
  expect_words(refusal([&] { fitted(0, true, options(), 2); }), {checkpoint_.folder, "other values"});
  expect_words(refusal([&] { fitted(0, true, options(), 1, 310); }), {"300 rows there and 310 here"});
  Options timed = options();
  timed.time_limit = 10;
  expect_words(refusal([&] { fitted(0, false, timed); }), {"time limit", "10"});
}

TEST_F(CheckpointTest, ADamagedFileIsNamed) {
  fitted(0, false);
  for (const auto& entry : fs::directory_iterator(checkpoint_.folder))
    if (entry.path().extension() == ".state") {
      std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(100);
      file.put('\x55');
      file.put('\x66');
    }
  try {
    fitted(0, true);
    FAIL() << "a damaged file was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("is damaged"), std::string::npos) << error.what();
  }
}

TEST_F(CheckpointTest, WhatCannotBeWrittenDoesNotEndTheFit) {
  std::ofstream(checkpoint_.folder) << "a file where the folder should be";
  std::atomic<int> failures = 0;
  checkpoint_.failed = [&](const std::string& reason) {
    EXPECT_FALSE(reason.empty());
    ++failures;
  };
  EXPECT_EQ(fitted(0, false), fit(toy::table(300), toy::roles(), options()).to_bytes());
  EXPECT_GT(failures, 0);
}

TEST_F(CheckpointTest, OnlyTheCheckpointIsRemoved) {
  fitted(0, false);
  const fs::path other = fs::path(checkpoint_.folder) / "notes.txt";
  std::ofstream(other) << "not ours";
  remove_checkpoint(checkpoint_.folder);
  EXPECT_TRUE(fs::exists(other));
  EXPECT_EQ(std::distance(fs::directory_iterator(checkpoint_.folder), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace mirrorball
