#pragma once

#include <barrier>
#include <thread>

#include "group/group.h"

namespace mirrorball {

/// Several "processes" that are threads of this one, to test what groups promise.
class ThreadGroup {
 public:
  explicit ThreadGroup(std::size_t size)
      : bytes_(size), values_(size), barrier_(static_cast<std::ptrdiff_t>(size)) {}

  /// Calls body(group) once for each rank, side by side.
  template <class Body>
  void run(const Body& body) {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < bytes_.size(); ++rank)
      threads.emplace_back([this, rank, &body] {
        const Member member(*this, rank);
        body(static_cast<const group::Group&>(member));
      });
  }

 private:
  class Member : public group::Group {
   public:
    Member(ThreadGroup& all, std::size_t rank) : all_(all), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return all_.bytes_.size(); }
    void broadcast(std::vector<std::byte>& bytes, std::size_t root) const override {
      if (rank_ == root) all_.bytes_[root] = bytes;
      all_.barrier_.arrive_and_wait();
      bytes = all_.bytes_[root];
      all_.barrier_.arrive_and_wait();
    }
    std::vector<std::vector<std::byte>> gather(std::vector<std::byte> own) const override {
      all_.bytes_[rank_] = std::move(own);
      all_.barrier_.arrive_and_wait();
      std::vector<std::vector<std::byte>> result = all_.bytes_;
      all_.barrier_.arrive_and_wait();
      return result;
    }
    void sum(std::span<float> values) const override {
      all_.values_[rank_].assign(values.begin(), values.end());
      all_.barrier_.arrive_and_wait();
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = all_.values_[0][i];
        for (std::size_t rank = 1; rank < size(); ++rank) values[i] += all_.values_[rank][i];
      }
      all_.barrier_.arrive_and_wait();
    }

   private:
    ThreadGroup& all_;
    std::size_t rank_;
  };

  std::vector<std::vector<std::byte>> bytes_;
  std::vector<std::vector<float>> values_;
  std::barrier<> barrier_;
};

}  // namespace mirrorball
