#include "built.h"

#include <filesystem>

namespace mirrorball::bench {

std::string built_file(const std::string& name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / name).string();
}

}  // namespace mirrorball::bench
