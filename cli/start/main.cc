#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "exit_codes.h"
#include "program.h"

namespace {

/// Memory may run out in a function that must not throw, as the library of the command line has some: that
/// too ends with a line and an exit code, without allocating anything more.
[[noreturn]] void end() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kLine = "mirrorball: out of memory\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
    _exit(mirrorball::cli::kFailed);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end);
  return mirrorball::cli::program(argc, argv);
}
