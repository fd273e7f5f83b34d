#include "kernels/executable.h"

#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace mirrorball::kernels {
namespace {

/// A page that is written first and made executable then, as generators of code do.
bool try_a_page() {
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  *static_cast<volatile char*>(page) = 0;
  const bool allowed = mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0;
  munmap(page, bytes);
  return allowed;
}

/// By the process's list of mappings ("55d0-55d8 r-xp …"); nothing where there is none to read.
std::optional<bool> listed_as_executable(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  bool any = false;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0, end = 0;
    const char* const last = line.data() + line.size();
    const auto dash = std::from_chars(line.data(), last, begin, 16);
    const auto space = std::from_chars(dash.ptr + 1, last, end, 16);
    if (dash.ec != std::errc() || space.ec != std::errc() || last - space.ptr < 5) return std::nullopt;
    any = true;
    if (begin <= address && address < end) return space.ptr[3] == 'x';
  }
  return any ? std::optional(false) : std::nullopt;
}

}  // namespace

bool may_run_generated_code() {
  static const bool allowed = try_a_page();
  return allowed;
}

bool is_executable(const void* code) {
  if (!may_run_generated_code()) return false;
  static std::mutex lock;
  static std::set<const void*> known;  // libxsmm keeps its code, and returns the same for the same shape
  const std::lock_guard hold(lock);
  if (known.contains(code)) return true;
  const bool found = listed_as_executable(reinterpret_cast<std::uintptr_t>(code)).value_or(true);
  if (found) known.insert(code);
  return found;
}

}  // namespace mirrorball::kernels
