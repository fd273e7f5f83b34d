#include "serve/gate.h"

#include <fmt/format.h>

#include "serve/api_error.h"

namespace mirrorball::serve {

void Gate::enter() {
  std::unique_lock lock(lock_);
  if (inside_ >= places_) {
    if (queued_ >= most_waiting_)
      throw ApiError(503, "", fmt::format("{} requests are already waiting", queued_),
                     "try again in a moment");
    ++queued_;
    const bool free = changed_.wait_for(lock, patience_, [this] { return inside_ < places_; });
    --queued_;
    if (!free)
      throw ApiError(503, "", fmt::format("the server was busy for {} ms", patience_.count()),
                     "try again in a moment");
  }
  ++inside_;
}

void Gate::leave() {
  {
    const std::lock_guard lock(lock_);
    --inside_;
  }
  changed_.notify_one();
}

std::size_t Gate::working() const {
  const std::lock_guard lock(lock_);
  return inside_;
}

std::size_t Gate::waiting() const {
  const std::lock_guard lock(lock_);
  return queued_;
}

}  // namespace mirrorball::serve
