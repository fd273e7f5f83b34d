#include "two_models.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace mirrorball::cli {
namespace {

void add_new(std::vector<std::string>& to, const std::vector<std::string>& names,
             const std::vector<std::string>& not_among) {
  for (const std::string& name : names) {
    if (std::find(not_among.begin(), not_among.end(), name) != not_among.end())
      bad_input(
          "column '{}' is a number in one model and a category in the other: they cannot read the same table",
          name);
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
  }
}

}  // namespace

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

std::pair<std::string, std::string> model_names(const std::string& first, const std::string& second) {
  const std::string a = file_name(first), b = file_name(second);
  return a == b ? std::pair(first, second) : std::pair(a, b);
}

ReadOptions read_for_both(const Model& first, const Model& second) {
  ReadOptions read = first.read_options(true);
  const ReadOptions other = second.read_options(true);
  add_new(read.numbers, other.numbers, read.categories);
  add_new(read.categories, other.categories, read.numbers);
  return read;
}

}  // namespace mirrorball::cli
