#include "http/workers.h"

#include <system_error>

namespace mirrorball::http {

Workers::Workers(std::size_t threads, std::size_t waiting, Serve serve, Start start)
    : most_threads_(threads), most_waiting_(waiting), serve_(std::move(serve)), start_(std::move(start)) {
  threads_.reserve(threads);
}

Workers::~Workers() {
  {
    const std::lock_guard lock(lock_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Workers::take(int socket) {
  const std::lock_guard lock(lock_);
  if (sockets_.size() >= idle_) add_thread();
  const bool may_wait = !threads_.empty() && sockets_.size() < idle_ + most_waiting_;
  if (sockets_.size() >= idle_ && !may_wait) return false;
  sockets_.push_back(socket);
  count_waiting();
  changed_.notify_one();
  return true;
}

void Workers::add_thread() {
  if (threads_.size() >= most_threads_) return;
  try {
    threads_.push_back(start_([this] { work(); }));
    ++idle_;
  } catch (const std::system_error&) {  // the system has no more threads: those that there are do the work
  }
}

void Workers::work() {
  std::unique_lock lock(lock_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !sockets_.empty(); });
    --idle_;
    if (sockets_.empty()) return;
    const int socket = sockets_.front();
    sockets_.pop_front();
    count_waiting();
    lock.unlock();
    serve_(socket);
    lock.lock();
    ++idle_;
  }
}

}  // namespace mirrorball::http
