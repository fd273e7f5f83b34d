#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace mirrorball::cli_test {
namespace {

struct Pipe {
  int read = -1, write = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to be had");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_read() { close_one(read); }
  void close_write() { close_one(write); }

 private:
  static void close_one(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

/// The child's last act before it becomes the program.
[[noreturn]] void become_mirrorball(const Words& words, const std::string& folder) {
  const char* other = std::getenv("MIRRORBALL_PROGRAM");
  std::string program = other ? other : MIRRORBALL_PROGRAM;
  std::vector<char*> arguments = {program.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (chdir(folder.c_str()) == 0) execv(program.c_str(), arguments.data());
  _exit(127);
}

/// Makes `stream` the pipe, or a file where a path is given.
void redirect(int stream, int pipe, const std::string& path) {
  dup2(path.empty() ? pipe : open(path.c_str(), O_WRONLY | O_CLOEXEC), stream);
}

void limit_files(rlim_t largest) {
  const rlimit limit = {largest, largest};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);  // so that writing fails instead of ending the program
}

/// Memory that was written is never executable from now on; false where the system cannot do that.
bool deny_generated_code() {
  constexpr int kSetMdwe = 65;  // PR_SET_MDWE, which older headers lack
  return prctl(kSetMdwe, 1UL, 0UL, 0UL, 0UL) == 0;
}

/// In a view of the file system of its own; false where only root may, or the system lets nobody.
bool leave_proc() {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         umount2("/proc", MNT_DETACH) == 0;
}

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Appends what there is; false at the end.
bool drain(int file, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(file, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

/// Kills a child when its time is over.
class Deadline {
 public:
  Deadline(pid_t child, int after_ms) : child_(child), after_ms_(after_ms) {}

  /// For `poll`: until then, or for ever.
  int wait_ms() {
    if (after_ms_ == 0) return -1;
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    if (passed.count() < after_ms_) return after_ms_ - static_cast<int>(passed.count());
    kill(child_, SIGKILL);
    after_ms_ = 0;
    return -1;
  }

 private:
  using Clock = std::chrono::steady_clock;

  pid_t child_;
  int after_ms_;
  Clock::time_point start_ = Clock::now();
};

/// Feeds and drains all pipes at once, so that neither side can block the other.
void exchange(Pipe& in, std::string_view input, Pipe& out, Pipe& err, Deadline deadline, Outcome& outcome) {
  while (in.write >= 0 || out.read >= 0 || err.read >= 0) {
    std::array<pollfd, 3> files = {{{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
    if (poll(files.data(), files.size(), deadline.wait_ms()) <= 0) continue;
    if (files[0].revents != 0) {
      const ssize_t put = input.empty() ? -1 : write(in.write, input.data(), input.size());
      input.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : input.size());
      if (input.empty()) in.close_write();
    }
    if (files[1].revents != 0 && !drain(out.read, outcome.out)) out.close_read();
    if (files[2].revents != 0 && !drain(err.read, outcome.err)) err.close_read();
  }
}

}  // namespace

bool can_deny_generated_code() {
  const pid_t child = fork();
  if (child == 0) _exit(deny_generated_code() ? 0 : 1);
  return wait_for(child) == 0;
}

bool can_leave_proc() {
  const pid_t child = fork();
  if (child == 0) _exit(leave_proc() ? 0 : 1);
  return wait_for(child) == 0;
}

Outcome run_mirrorball(const Words& words, const Surroundings& surroundings) {
  std::signal(SIGPIPE, SIG_IGN);  // the program may end before it has read its input
  Pipe in, out, err;
  fcntl(in.write, F_SETFL, O_NONBLOCK);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    std::signal(SIGPIPE, SIG_DFL);
    dup2(in.read, STDIN_FILENO);
    redirect(STDOUT_FILENO, out.write, surroundings.out_path);
    redirect(STDERR_FILENO, err.write, surroundings.err_path);
    for (const auto& [name, value] : surroundings.added) setenv(name.c_str(), value.c_str(), 1);
    if (surroundings.largest_file != RLIM_INFINITY) limit_files(surroundings.largest_file);
    const rlimit memory = {surroundings.memory, surroundings.memory};
    if (surroundings.memory != RLIM_INFINITY) setrlimit(RLIMIT_AS, &memory);
    if (surroundings.no_generated_code) deny_generated_code();
    if (surroundings.no_proc) leave_proc();
    become_mirrorball(words, surroundings.folder);
  }
  in.close_read();
  out.close_write();
  err.close_write();
  Outcome outcome;
  exchange(in, surroundings.input, out, err, {child, surroundings.killed_after_ms}, outcome);
  outcome.code = wait_for(child);
  return outcome;
}

Terminal::Terminal(const Words& words, const std::string& folder, const Screen& screen) {
  winsize size = {};
  size.ws_row = 24;
  size.ws_col = screen.columns;
  child_ = forkpty(&master_, nullptr, nullptr, &size);
  if (child_ < 0) throw std::runtime_error("no terminal to be had");
  if (child_ != 0) return;
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  for (const auto& [name, value] : screen.added) setenv(name.c_str(), value.c_str(), 1);
  become_mirrorball(words, folder);
}

Terminal::~Terminal() {
  close(master_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  wait_for(child_);
}

bool Terminal::read_more(int wait_ms) {
  pollfd file = {master_, POLLIN, 0};
  return poll(&file, 1, wait_ms) > 0 && drain(master_, shown_);
}

bool Terminal::shows(std::string_view text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (shown_.find(text) == shown_.npos)
    if (std::chrono::steady_clock::now() > end || !read_more(60000)) return false;
  return true;
}

void Terminal::press(std::string_view keys) {
  if (write(master_, keys.data(), keys.size()) < 0) throw std::runtime_error("the terminal takes no keys");
}

void Terminal::signal(int number) const { kill(child_, number); }

Outcome Terminal::finish() {
  while (read_more(60000)) {
  }
  Outcome outcome;
  outcome.code = wait_for(child_);
  child_ = -1;
  outcome.out = shown_;
  return outcome;
}

}  // namespace mirrorball::cli_test
