#include "table/dictionary.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "table/keyed_hash.h"

namespace mirrorball::table {
namespace {

constexpr std::size_t kFewestSlots = 16;
constexpr std::size_t kMostTexts = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::int32_t Dictionary::code(std::string_view text) {
  if (2 * texts_.size() >= slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(keyed_hash(text));
  Slot& found = slot(text, hash);
  if (found.code < 0) {
    if (texts_.size() == kMostTexts)
      bad_input("a column has more than {} distinct texts: leave it out or convert it to numbers",
                kMostTexts);
    found = {hash, static_cast<std::int32_t>(texts_.size())};
    texts_.emplace_back(text);
  }
  return found.code;
}

void Dictionary::clear() {
  texts_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

std::size_t Dictionary::longest_search() const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].code >= 0) longest = std::max(longest, ((i - slots_[i].hash) & mask) + 1);
  return longest;
}

Dictionary::Slot& Dictionary::slot(std::string_view text, std::uint32_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& candidate = slots_[i];
    if (candidate.code < 0) return candidate;
    if (candidate.hash == hash && texts_[static_cast<std::size_t>(candidate.code)] == text) return candidate;
  }
}

void Dictionary::grow() {
  const std::vector<Slot> old = std::exchange(slots_, {});
  slots_.resize(std::max(kFewestSlots, 2 * old.size()));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& used : old) {
    if (used.code < 0) continue;
    std::size_t i = used.hash & mask;
    while (slots_[i].code >= 0) i = (i + 1) & mask;
    slots_[i] = used;
  }
}

}  // namespace mirrorball::table
