#include "table/dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace mirrorball {
namespace {

constexpr std::size_t kFewestSlots = 16;

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;

template <class Word>
std::uint64_t load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Multiplies words of the text into each other; the last one overlaps the one before it.
std::uint32_t hash_of(std::string_view text) {
  const char* first = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = size * kOdd;
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8)
      hash = std::rotl((hash ^ load<std::uint64_t>(first + i)) * kOdd, 29);
    hash ^= load<std::uint64_t>(first + size - 8);
  } else if (size >= 4) {
    hash ^= load<std::uint32_t>(first) << 32 | load<std::uint32_t>(first + size - 4);
  } else if (size > 0) {
    hash ^= load<std::uint8_t>(first) << 16 | load<std::uint8_t>(first + size / 2) << 8 |
            load<std::uint8_t>(first + size - 1);
  }
  hash *= kOdd;
  return static_cast<std::uint32_t>(hash >> 32 ^ hash >> 15);
}

}  // namespace

std::int32_t Dictionary::code(std::string_view text) {
  if (2 * levels_.size() >= slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  Slot& found = slot(text, hash);
  if (found.code < 0) {
    found = {hash, static_cast<std::int32_t>(levels_.size())};
    levels_.emplace_back(text);
  }
  return found.code;
}

void Dictionary::clear() {
  levels_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

Dictionary::Slot& Dictionary::slot(std::string_view text, std::uint32_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& candidate = slots_[i];
    if (candidate.code < 0) return candidate;
    if (candidate.hash == hash && levels_[static_cast<std::size_t>(candidate.code)] == text) return candidate;
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

}  // namespace mirrorball
