#include "group/together.h"

#include <algorithm>
#include <atomic>

#include "base/error.h"

namespace mirrorball::group {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::atomic<bool>& failed() {
  static std::atomic<bool> together = false;
  return together;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool failed_together() { return failed(); }

void agree(const Group& group, const std::string& failure, std::exception_ptr own) {
  const std::vector<std::vector<std::byte>> all = group.gather(bytes_of(failure));
  const auto first = std::find_if(all.begin(), all.end(), [](const auto& text) { return !text.empty(); });
  if (first == all.end()) return;
  failed() = true;
  if (group.rank() > 0) throw FailedElsewhere(text_of(*first));
  if (own) std::rethrow_exception(own);
  bad_input("process {} of {}: {}", first - all.begin(), all.size(), text_of(*first));
}

void fail_alike(const Group& group, const std::string& failure) {
  if (group.rank() > 0) throw FailedElsewhere(failure);
  system_failure("{}", failure);
}

bool any_of(const Group& group, bool own) {
  if (group.size() == 1) return own;
  const std::vector<std::vector<std::byte>> all = group.gather({std::byte{own}});
  return std::any_of(all.begin(), all.end(), [](const auto& one) { return one[0] != std::byte{0}; });
}

void check_same(const Group& group, const std::string& text, const std::string& what) {
  if (group.size() == 1) return;
  const std::vector<std::vector<std::byte>> all = group.gather(bytes_of(text));
  const auto other = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one != all[0]; });
  if (other == all.end()) return;
  failed() = true;
  const std::string words = fmt::format(
      "process {} of {} has {} than process 0: all must read the same files and have the same options",
      other - all.begin(), all.size(), what);
  if (group.rank() > 0) throw FailedElsewhere(words);
  bad_input("{}", words);
}

}  // namespace mirrorball::group
