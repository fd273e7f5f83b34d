#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball::cli_test {

using Words = std::vector<std::string>;

struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal that ended it
  std::string out, err;
};

/// Where and how the program under test runs.
struct Surroundings {
  std::string folder = ".";
  std::string input = {};                         ///< given through a pipe on standard input
  std::string out_path = {};                      ///< standard output goes here instead of into Outcome::out
  std::string err_path = {};                      ///< and standard error here
  std::map<std::string, std::string> added = {};  ///< to the environment
  rlim_t largest_file = RLIM_INFINITY;            ///< writing beyond fails as it does on a full disk
  rlim_t memory = RLIM_INFINITY;                  ///< address space, as `ulimit -v` limits it
  bool no_generated_code = false;                 ///< as systemd's MemoryDenyWriteExecute has it
  bool no_proc = false;                           ///< /proc is empty, as in some containers
  int killed_after_ms = 0;                        ///< SIGKILL comes then, where the program still runs
};

/// Whether this system can keep a process from running code that it has written.
bool can_deny_generated_code();

/// Whether this system can run a process without /proc.
bool can_leave_proc();

/// Runs `mirrorball WORDS…` to its end, without a shell.
Outcome run_mirrorball(const Words& words, const Surroundings& surroundings = {});

/// What a terminal is like.
struct Screen {
  unsigned short columns = 100;
  std::map<std::string, std::string> added = {};  ///< to the environment
};

/// `mirrorball WORDS…` on a terminal of its own, which is all three of its streams.
class Terminal {
 public:
  Terminal(const Words& words, const std::string& folder, const Screen& screen = {});
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Waits until the text has been shown; false if the program ended, or a minute passed, without it.
  bool shows(std::string_view text);
  void press(std::string_view keys);
  void signal(int number) const;
  const std::string& shown() const { return shown_; }
  /// Waits for the end; everything shown is in Outcome::out.
  Outcome finish();

 private:
  bool read_more(int wait_ms);

  pid_t child_ = -1;
  int master_ = -1;
  std::string shown_;
};

}  // namespace mirrorball::cli_test
