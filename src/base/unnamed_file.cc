#include "base/unnamed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace mirrorball {

int open_unnamed(const std::string& folder, const char* what) {
  int file = -1;
#ifdef O_TMPFILE
  file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#endif
  if (file < 0) {  // a file system without such files: one that has a name for a moment
    std::string name = folder + "/mirrorball.XXXXXX";
    file = mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) unlink(name.c_str());
  }
  if (file < 0) system_failure("cannot write {} in {}: {}", what, folder, std::strerror(errno));
  return file;
}

}  // namespace mirrorball
