#include "base/buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace mirrorball {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFromSystem = std::size_t{1} << 18;
constexpr std::size_t kHugePage = std::size_t{1} << 21;

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes >= kFromSystem) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
  }
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (!memory) throw std::bad_alloc();
  return std::memset(memory, 0, rounded);
}

void release(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  if (bytes >= kFromSystem) {
    munmap(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace mirrorball
