#pragma once

#include <algorithm>
#include <iterator>

namespace mirrorball {

/// Whether a list has an entry. The lists this is for are short: it looks at one after the other.
template <class List, class Entry>
bool contains(const List& list, const Entry& entry) {
  return std::find(std::begin(list), std::end(list), entry) != std::end(list);
}

}  // namespace mirrorball
