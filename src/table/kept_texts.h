#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball::table {

/// Texts one after the other, for cells that are carried along and not looked at.
class KeptTexts {
 public:
  void append(std::string_view text);  ///< taken as UTF-8, as names and categories are
  void append(const KeptTexts& other);
  void clear();
  KeptTexts slice(std::size_t begin, std::size_t end) const;

  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t row) const;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of each text in bytes_
};

}  // namespace mirrorball::table
