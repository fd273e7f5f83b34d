#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball::table {

/// The different texts of a column, numbered in order of first appearance: the hash, which differs from
/// process to process, decides nothing but the speed.
class Dictionary {
 public:
  std::int32_t code(std::string_view text);  ///< of a text, which is added when it is new

  const std::vector<std::string>& texts() const { return texts_; }
  void clear();

  /// The most slots that are looked at to find one of the texts.
  std::size_t longest_search() const;

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t code = -1;
  };

  Slot& slot(std::string_view text, std::uint32_t hash);
  void grow();

  std::vector<std::string> texts_;
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace mirrorball::table
