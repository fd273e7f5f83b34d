#include <sched.h>
#include <sys/mount.h>

#include <filesystem>

#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// What is written must be there or be an error; what was there before must stay.
class CliFullDisk : public CliTest {
 protected:
  CliFullDisk() { make_model(); }
  const Words functions = {"functions", "model", "--vary", "a", "--from", "0", "--to", "1"};
};

TEST_F(CliFullDisk, StandardOutput) {
  const Surroundings full = {.out_path = "/dev/full"};
  for (const Words& words : {Words{"predict", "model", "data.csv"},
                             {"predict", "model", "data.csv", "--mean"},
                             {"score", "model", "data.csv"},
                             {"score", "model", "data.csv", "--json"},
                             functions,
                             {"data", "arcs"},
                             {"data", "arcs", "--rows", "1"},
                             {"info"},
                             {"info", "model"},
                             {"info", "model", "--json"}})
    expect_refused(words, {"standard output", "No space left on device"}, full);
}

TEST_F(CliFullDisk, ADeviceAsFile) {
  expect_refused({"predict", "model", "data.csv", "--out", "/dev/full"},
                 {"/dev/full", "No space left on device"});
  expect_refused(fit_words({{"quiet", ""}}, {}, "data.csv", "/dev/full"),
                 {"/dev/full", "No space left on device"});
  Words words = functions;
  words.insert(words.end(), {"--out", "/dev/full"});
  expect_refused(words, {"/dev/full", "No space left on device"});
}

// A limit on the size of files fails in the middle of writing, as a full disk does.
TEST_F(CliFullDisk, OldFilesStayWhole) {
  write("predictions.csv", "older predictions\n");
  const Surroundings tight = {.largest_file = 2048};
  expect_refused(fit_words({{"quiet", ""}, {"seed", "9"}}), {"model", "File too large"}, tight);
  output({"info", "model"});
  expect_refused({"predict", "model", "data.csv", "--samples", "50", "--out", "predictions.csv"},
                 {"predictions.csv", "File too large"}, tight);
  for (const char* packed : {"predictions.csv.gz", "predictions.csv.zst"}) {
    write(packed, "older predictions\n");
    expect_refused({"predict", "model", "data.csv", "--samples", "50", "--out", packed},
                   {packed, "File too large"}, tight);
  }
  expect_refused(fit_words({{"quiet", ""}}, {}, "data.csv", "another"), {"another", "File too large"}, tight);
}

TEST_F(CliFullDisk, ADiskThatIsReallyFull) {
  // A name space of its own: the mount ends with this process, whatever happens.
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    GTEST_SKIP() << "mounting is not permitted";
  const std::string disk = folder() + "/disk";
  std::filesystem::create_directory(disk);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=32k") != 0) GTEST_SKIP() << "mounting is not permitted";
  output(fit_words({}, {}, "data.csv", "disk/model"));
  expect_refused(fit_words({{"quiet", ""}, {"width", "64"}}, {}, "data.csv", "disk/model"),
                 {"disk/model", "No space left on device"});
  output({"info", "disk/model"});
  expect_refused({"predict", "model", "data.csv", "--samples", "200", "--out", "disk/predictions.csv"},
                 {"disk/predictions.csv", "No space left on device"});
  umount(disk.c_str());
}

}  // namespace
}  // namespace mirrorball::cli_test
