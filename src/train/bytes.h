#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace mirrorball::train {

/// Numbers one after the other, as processes on machines of one type exchange them.
class ByteWriter {
 public:
  template <class T>
  void add(const T& value) {
    add(&value, 1);
  }
  template <class T>
  void add(const T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* first = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), first, first + count * sizeof(T));
  }
  /// The number of values, then the values.
  template <class T>
  void add_list(std::span<const T> values) {
    add(values.size());
    add(values.data(), values.size());
  }

  std::vector<std::byte> bytes;
};

/// Throws where there are fewer bytes than asked for.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value;
    take(&value, 1);
    return value;
  }
  template <class T>
  void take(T* values, std::size_t count) {
    check<T>(count);
    if (count > 0) std::memcpy(values, rest_.data(), count * sizeof(T));
    rest_ = rest_.subspan(count * sizeof(T));
  }
  template <class T, class List = std::vector<T>>
  List take_list() {
    const auto count = take<std::size_t>();
    check<T>(count);
    List values(count);
    take(values.data(), count);
    return values;
  }
  bool done() const { return rest_.empty(); }

 private:
  template <class T>
  void check(std::size_t count) const {
    if (count > rest_.size() / sizeof(T)) system_failure("the data of a network end too early");
  }

  std::span<const std::byte> rest_;
};

}  // namespace mirrorball::train
