#include "base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>

#include "base/control_groups.h"

namespace mirrorball {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnits = "kmgt";
constexpr double kMostBytes = 0x1p62;

/// A file with one number; "max" is none.
double limit_in(const fs::path& path) {
  std::ifstream file(path);
  double bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : kNoGroupLimit;
}

}  // namespace

std::uint64_t usable_memory(const fs::path& root) {
  double most = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  most =
      std::min(most, control_group_limit(
                         root, "memory", [](const fs::path& group) { return limit_in(group / "memory.max"); },
                         [](const fs::path& group) { return limit_in(group / "memory.limit_in_bytes"); }));
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    most = std::min(most, static_cast<double>(limit.rlim_cur));
  return static_cast<std::uint64_t>(most);
}

std::optional<std::uint64_t> bytes_from(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  std::string unit;
  for (const char c : text.substr(static_cast<std::size_t>(end - text.data())))
    if (c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!unit.empty() && unit != "b") {
    const std::size_t power = kUnits.find(unit[0]);
    if (power == kUnits.npos || (unit.size() > 1 && unit.substr(1) != "b" && unit.substr(1) != "ib"))
      return std::nullopt;
    value = std::ldexp(value, 10 * (static_cast<int>(power) + 1));
  }
  if (!(value >= 1 && value <= kMostBytes)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array kNames = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < kNames.size(); ++unit) value /= 1024;
  return fmt::format("{:.3g} {}", value, kNames[unit]);
}

}  // namespace mirrorball
