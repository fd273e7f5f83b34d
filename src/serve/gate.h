#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mirrorball::serve {

/// Lets a few requests work at a time and a bounded number wait; whoever comes on
/// top of these, or waits too long, gets an ApiError of status 503.
class Gate {
 public:
  Gate(std::size_t places, std::size_t waiting, std::chrono::milliseconds patience)
      : places_(places), most_waiting_(waiting), patience_(patience) {}

  /// A place at a gate, until it is destroyed.
  class Permit {
   public:
    explicit Permit(Gate& gate) : gate_(&gate) { gate_->enter(); }
    ~Permit() {
      if (gate_ != nullptr) gate_->leave();
    }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;

    /// Leaves this gate and waits at another.
    void move_to(Gate& other) {
      gate_->leave();
      gate_ = nullptr;
      other.enter();
      gate_ = &other;
    }

   private:
    Gate* gate_;
  };

  std::size_t working() const;
  std::size_t waiting() const;

 private:
  void enter();
  void leave();

  const std::size_t places_, most_waiting_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex lock_;
  std::condition_variable changed_;
  std::size_t inside_ = 0, queued_ = 0;
};

}  // namespace mirrorball::serve
