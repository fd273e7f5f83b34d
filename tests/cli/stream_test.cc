#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Tables are read in blocks of 4 MB: these rows are long, so that a few thousand are two blocks.
constexpr std::size_t kRows = 6000, kPadding = 1200;

/// The rows of a sample table with a long column that models do not read.
std::string padded(const std::string& table) {
  std::istringstream lines(table);
  std::string line, text;
  std::getline(lines, line);
  text = line + ",note\n";
  while (std::getline(lines, line)) text += line + "," + std::string(kPadding, 'x') + "\n";
  return text;
}

class CliStream : public CliTest {
 protected:
  CliStream() {
    make_model({{"ignore", "w"}});
    write("short.csv", sample_table(kRows));
    write("long.csv", padded(sample_table(kRows)));
  }
};

TEST_F(CliStream, BlocksGiveWhatTheWholeGives) {
  const auto compare = [&](const Words& begin, const Words& end) {
    const auto words = [&](const std::string& data) {
      Words all = begin;
      all.push_back(data);
      all.insert(all.end(), end.begin(), end.end());
      return all;
    };
    const std::string expected = output(words("short.csv"));
    EXPECT_EQ(output(words("long.csv")), expected);
    EXPECT_EQ(output(words("-"), {.input = read("long.csv")}), expected);
  };
  compare({"predict", "model"}, {"--samples", "3"});
  compare({"score", "model"}, {"--samples", "20", "--json"});
}

// A program that reads the whole table first writes nothing while the pipe is open.
TEST_F(CliStream, PredictionsComeBeforeTheEndOfTheInput) {
  ASSERT_EQ(mkfifo((folder() + "/pipe").c_str(), 0600), 0);
  write("out.csv", "");
  std::thread program([&] {
    run({"predict", "model", "pipe", "--samples", "20"}, {.out_path = folder() + "/out.csv"});
  });
  const int pipe = open((folder() + "/pipe").c_str(), O_WRONLY);
  const std::string table = read("long.csv");
  for (std::size_t at = 0; at < table.size();) {
    const ssize_t count = ::write(pipe, table.data() + at, table.size() - at);
    if (count <= 0) break;
    at += static_cast<std::size_t>(count);
  }
  const auto begun = [&] { return !read("out.csv").empty(); };
  for (int wait = 0; wait < 600 && !begun(); ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(begun());
  close(pipe);
  program.join();
  EXPECT_EQ(Csv(read("out.csv")).rows.size(), kRows);
}

TEST_F(CliStream, AnErrorInALaterBlockNamesItsLineAndLeavesNoFile) {
  write("bad.csv", read("long.csv") + "1,text,red,1,1,x\n");
  const std::string line = "bad.csv:" + std::to_string(kRows + 2) + ":";
  expect_refused({"predict", "model", "bad.csv", "--samples", "3", "--out", "out.csv"}, {line, "'text'"});
  expect_refused({"score", "model", "bad.csv", "--samples", "20"}, {line, "'text'"});
  write("bad.csv", read("long.csv") + "1,1,red,1,,x\n");
  expect_refused({"score", "model", "bad.csv", "--samples", "20"},
                 {"'y' is missing in data row " + std::to_string(kRows + 1)});
}

// A column is strange when all of it is, not when its first block is.
TEST_F(CliStream, CategoriesAreJudgedByAllBlocks) {
  std::string late = "a,b,color,note\n", never = late;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::string note = "," + std::string(kPadding, 'x') + "\n";
    late += (row + 100 < kRows ? "1,1,pink" : "1,1,red") + note;
    never += "1,1,pink" + note;
  }
  write("late.csv", late);
  write("never.csv", never);
  EXPECT_EQ(run({"predict", "model", "late.csv", "--mean"}).err, "");
  const std::string warned = run({"predict", "model", "never.csv", "--mean"}).err;
  EXPECT_NE(warned.find("warning: never.csv: none of the values of 'color'"), warned.npos) << warned;
}

TEST_F(CliStream, ABarOfUnknownLengthCountsRows) {
  ASSERT_EQ(mkfifo((folder() + "/pipe").c_str(), 0600), 0);
  std::jthread writer([&] {
    const int pipe = open((folder() + "/pipe").c_str(), O_WRONLY);
    const std::string table = sample_table(120);
    EXPECT_EQ(::write(pipe, table.data(), table.size()), static_cast<ssize_t>(table.size()));
    close(pipe);
  });
  const std::string shown = Terminal({"score", "model", "pipe"}, folder()).finish().out;
  EXPECT_NE(shown.find("\r120 rows  "), shown.npos) << shown;
  EXPECT_EQ(shown.find("━"), shown.npos) << shown;
}

}  // namespace
}  // namespace mirrorball::cli_test
