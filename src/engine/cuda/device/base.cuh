#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

/// Memory, streams and errors of the device. A failure is an exception here; library.cu turns it into words.
namespace mirrorball::cuda {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What an error of CUDA means, and what to do about it.
std::string words_of(cudaError_t error);

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw Failure(words_of(error));
}

/// Zeroed memory of the device.
template <class T>
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t count) : count_(count) {
    if (count == 0) return;
    check(cudaMalloc(&data_, count * sizeof(T)));
    check(cudaMemset(data_, 0, count * sizeof(T)));
    check(cudaStreamSynchronize(cudaStreamLegacy));  // other streams do not wait for it by themselves
  }
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Memory() { cudaFree(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

  void fill(const T* from, std::size_t count, std::size_t first = 0) {
    if (count > 0) check(cudaMemcpy(data_ + first, from, count * sizeof(T), cudaMemcpyHostToDevice));
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Memory of the host that the device reads and writes by itself.
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t count) { check(cudaHostAlloc(&data_, count * sizeof(T), cudaHostAllocMapped)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

constexpr unsigned blocks_for(std::size_t count, std::size_t per_block) {
  return static_cast<unsigned>(count == 0 ? 1 : (count + per_block - 1) / per_block);
}

}  // namespace mirrorball::cuda
