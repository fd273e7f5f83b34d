#include "interrupt.h"

#include <csignal>

namespace mirrorball::cli {
namespace {

volatile std::sig_atomic_t flag = 0;

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { flag = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // that nobody reads the words is no reason to lose the model
}

bool interrupted() { return flag != 0; }

}  // namespace mirrorball::cli
