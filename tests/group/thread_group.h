#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "group/group.h"

namespace mirrorball {

/// Several "processes" that are threads of this one, to test what groups promise.
class ThreadGroup {
 public:
  explicit ThreadGroup(std::size_t size) : size_(size) {}

  /// Calls body(group) once for each rank, side by side.
  template <class Body>
  void run(const Body& body) {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < size_; ++rank)
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
    std::size_t size() const override { return all_.size_; }
    void exchange(std::span<const group::Outgoing> out, std::span<const group::Incoming> in) const override {
      std::unique_lock hold(all_.lock_);
      for (const group::Outgoing& one : out)
        all_.sent_[{rank_, one.to}].emplace_back(one.bytes.begin(), one.bytes.end());
      all_.arrived_.notify_all();
      for (const group::Incoming& one : in) {
        std::deque<std::vector<std::byte>>& waiting = all_.sent_[{one.from, rank_}];
        all_.arrived_.wait(hold, [&] { return !waiting.empty(); });
        if (waiting.front().size() != one.bytes.size())
          std::abort();  // an exception would leave others waiting
        std::copy(waiting.front().begin(), waiting.front().end(), one.bytes.begin());
        waiting.pop_front();
      }
    }

   private:
    ThreadGroup& all_;
    std::size_t rank_;
  };

  std::size_t size_;
  std::mutex lock_;
  std::condition_variable arrived_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::vector<std::byte>>> sent_;  ///< from, to
};

}  // namespace mirrorball
