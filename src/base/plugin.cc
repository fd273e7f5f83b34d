#include "base/plugin.h"

#include <dlfcn.h>

#include <filesystem>

namespace mirrorball {

std::string plugin_path(const char* file) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(&plugin_path), &own);
  const fs::path beside = own.dli_fname ? fs::path(own.dli_fname).parent_path() : fs::path();
  const fs::path plugins = program.empty() ? fs::path() : program / MIRRORBALL_PLUGINS;
  for (const fs::path& folder : {program, plugins, beside})  // never from the current folder
    if (folder.is_absolute() && fs::exists(folder / file, unknown)) return (folder / file).string();
  return "";
}

}  // namespace mirrorball
