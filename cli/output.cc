#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
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

void check_spares(const std::string& out, std::initializer_list<std::string> read) {
  std::error_code unknown;  // a file that is not there is not the same as another
  if (!std::filesystem::is_regular_file(out, unknown)) return;
  for (const std::string& path : read)
    if (std::filesystem::equivalent(out, path, unknown))
      bad_input("--out {} would overwrite {}, which is read: name another file", out, path);
}

void say(const std::string& words) { std::fputs(words.c_str(), stderr); }

}  // namespace mirrorball::cli
