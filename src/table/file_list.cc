#include "table/file_list.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"

namespace mirrorball::table {
namespace {

bool is_pattern(const std::string& name) {
  std::error_code unknown;
  return name.find_first_of("*?[") != name.npos && !std::filesystem::exists(name, unknown);
}

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found = {};
  const int failed = glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
  std::vector<std::string> files;
  if (failed == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (failed == GLOB_NOMATCH) bad_input("{}: no file matches this pattern", pattern);
  if (failed != 0) system_failure("{}: cannot look for the files that match this pattern", pattern);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> files_of(std::span<const std::string> names) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    const std::vector<std::string> some = is_pattern(name) ? matches(name) : std::vector{name};
    files.insert(files.end(), some.begin(), some.end());
  }
  if (files.empty()) bad_input("no file to read was given");
  std::set<std::string> seen;
  for (const std::string& file : files) {
    if (file == "-" && files.size() > 1)
      bad_input("standard input (-) cannot be one of {} files of a table: write it to a file first",
                files.size());
    if (!seen.insert(file).second) bad_input("{} is given twice: its rows would count twice", file);
  }
  return files;
}

std::string name_of_files(std::span<const std::string> files) {
  if (files.size() == 1) return files[0] == "-" ? "<stdin>" : files[0];
  return fmt::format("{} and {} more file{}", files[0], files.size() - 1, files.size() == 2 ? "" : "s");
}

}  // namespace mirrorball::table
