#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/atomic_file.h"
#include "base/error.h"

namespace mirrorball::cli {

void write_result(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (!path.empty() && path != "-") return write_atomically(path, write);
  errno = 0;
  write(std::cout);
  std::cout.flush();
  if (!std::cout) system_failure("cannot write to standard output: {}", std::strerror(errno ? errno : EIO));
}

void say(const std::string& words) { std::fputs(words.c_str(), stderr); }

}  // namespace mirrorball::cli
