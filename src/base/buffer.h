#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace mirrorball {

/// 64-byte aligned, zeroed memory. Large blocks come straight from the system and go back to it when freed,
/// so that what a table held is not held twice while it is turned into a matrix.
void* allocate_zeroed(std::size_t bytes);
void release(void* memory, std::size_t bytes) noexcept;

/// A fixed-size aligned array of plain numbers; moves, does not copy.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(allocate_zeroed(size * sizeof(T)))), size_(size) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { release(data_, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace mirrorball
