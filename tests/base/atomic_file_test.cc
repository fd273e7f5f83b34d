#include "base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace mirrorball {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mirrorball_atomic_" + std::to_string(getpid()));
};

TEST_F(AtomicFile, ReplacesTheOldFileOrLeavesIt) {
  const std::string path = (folder / "file").string();
  write_atomically(path, [](std::ostream& out) { out << "old"; });
  EXPECT_THROW(write_atomically(path,
                                [](std::ostream& out) {
                                  out << "half";
                                  throw std::runtime_error("crash");
                                }),
               std::runtime_error);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(files(), 1u);
  write_atomically(path, [](std::ostream& out) { out << "new"; });
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, ALinkStaysALink) {
  const auto link = folder / "link", file = folder / "file";
  std::filesystem::create_symlink("file", link);
  write_atomically(file.string(), [](std::ostream& out) { out << "old"; });
  write_atomically(link.string(), [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "new");
}

TEST_F(AtomicFile, CheckingLeavesNothing) {
  check_writable((folder / "file").string());
  EXPECT_EQ(files(), 0u);
  EXPECT_THROW(check_writable((folder / "none" / "file").string()), std::runtime_error);
  EXPECT_THROW(check_writable("/proc/file"), std::runtime_error);
}

TEST_F(AtomicFile, SaysWhyItCannotWrite) {
  const auto message = [](const std::string& path) {
    try {
      write_atomically(path, [](std::ostream& out) { out << std::string(100000, 'x'); });
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(message((folder / "none" / "file").string()).find("No such file"), std::string::npos);
  EXPECT_NE(message(folder.string()).find("directory"), std::string::npos);
  EXPECT_NE(message("/dev/full").find("No space left"), std::string::npos);
}

TEST_F(AtomicFile, KeepsTheMode) {
  const std::string path = (folder / "file").string();
  for (const mode_t mode : {0600, 0640, 0444}) {
    std::ofstream(path) << "old";
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    write_atomically(path, [](std::ostream& out) { out << "new"; });
    struct stat found = {};
    ASSERT_EQ(stat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, mode);
    EXPECT_EQ(content(path), "new");
    std::filesystem::remove(path);
  }
}

TEST_F(AtomicFile, ANewFileHasTheModeOfAnyOther) {
  const mode_t before = umask(027);
  write_atomically((folder / "file").string(), [](std::ostream& out) { out << "new"; });
  umask(before);
  struct stat found = {};
  ASSERT_EQ(stat((folder / "file").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640u);
}

TEST_F(AtomicFile, ALinkThatLeadsNowhereYetIsFollowed) {
  std::filesystem::create_directory(folder / "other");
  std::filesystem::create_symlink("other/second", folder / "first");
  std::filesystem::create_symlink(folder / "file", folder / "other" / "second");
  write_atomically((folder / "first").string(), [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "other" / "second"));
  EXPECT_EQ(content(folder / "file"), "new");
}

TEST_F(AtomicFile, ALoopOfLinksIsFoundBeforeTheWork) {
  std::filesystem::create_symlink("second", folder / "first");
  std::filesystem::create_symlink("first", folder / "second");
  EXPECT_THROW(check_writable((folder / "first").string()), std::runtime_error);
  EXPECT_THROW(write_atomically((folder / "first").string(), [](std::ostream&) {}), std::runtime_error);
}

TEST_F(AtomicFile, WritersOfOnePathDoNotMeet) {
  const std::string path = (folder / "file").string();
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'g'; ++letter)
    writers.emplace_back([&path, letter] {
      for (int i = 0; i < 20; ++i)
        write_atomically(path, [&](std::ostream& out) {
          for (int part = 0; part < 50; ++part) out << std::string(5000, letter) << std::flush;
        });
    });
  for (std::thread& writer : writers) writer.join();
  const std::string text = content(path);
  EXPECT_EQ(text, std::string(250000, text.at(0)));
  EXPECT_EQ(files(), 1u);
}

/// A child that begins to write, and is ended by a signal in the middle.
void end_while_writing(const std::string& path, int signal) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    write_atomically(path, [&](std::ostream& out) {
      out << std::string(100000, 'x') << std::flush;
      if (write(ready[1], "x", 1) == 1) pause();
    });
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, signal);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(AtomicFile, NothingStaysOfAProcessThatIsEnded) {
  const std::string path = (folder / "file").string();
  write_atomically(path, [](std::ostream& out) { out << "old"; });
  for (const int signal : {SIGTERM, SIGKILL}) {
    end_while_writing(path, signal);
    EXPECT_EQ(content(path), "old");
    check_writable(path);  // removes what was left where files cannot be without a name
    EXPECT_EQ(files(), 1u);
  }
}

TEST_F(AtomicFile, RemovesWhatAnEndedProcessLeft) {
  const std::string path = (folder / "file").string();
  for (const char* name :
       {"file.part0123456789abcdef", "file.part0123", "file.parts", "other.part0123456789abcdef"})
    std::ofstream(folder / name) << "left";
  write_atomically(path, [](std::ostream& out) { out << "new"; });
  EXPECT_FALSE(std::filesystem::exists(folder / "file.part0123456789abcdef"));
  EXPECT_EQ(files(), 4u);
}

}  // namespace
}  // namespace mirrorball
