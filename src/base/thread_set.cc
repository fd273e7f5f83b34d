#include "base/thread_set.h"

#include <pthread.h>

#include <thread>
#include <utility>

#include "base/cores.h"

namespace mirrorball {

struct ThreadSet::Thread {
  Job job;
  std::atomic<std::uint32_t> called{0};
};

ThreadSet& ThreadSet::instance() {
  static ThreadSet& set = *new ThreadSet;  // never destroyed: threads may use it to the end of the process
  return set;
}

/// A fork must not copy the lock while another thread holds it.
ThreadSet::ThreadSet() : most_idle_(cores()) {
  idle_.reserve(most_idle_);  // a thread that lies down must not fail
  pthread_atfork([] { instance().lock_.lock(); }, [] { instance().lock_.unlock(); },
                 [] {
                   instance().idle_.clear();
                   ++instance().generation_;
                   instance().lock_.unlock();
                 });
}

void ThreadSet::start(Job job) {
  std::shared_ptr<Thread> thread;
  {
    const std::lock_guard hold(lock_);
    if (!idle_.empty()) {
      thread = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (thread) {
    thread->job = std::move(job);
    thread->called.store(1, std::memory_order_release);
    thread->called.notify_one();
  } else {
    thread = std::make_shared<Thread>();
    thread->job = std::move(job);
    std::thread([this, thread] { serve(thread); }).detach();
  }
}

void ThreadSet::serve(const std::shared_ptr<Thread>& self) {
  for (;;) {
    self->job();
    self->job = nullptr;  // and what it holds
    self->called.store(0, std::memory_order_relaxed);
    {
      const std::lock_guard hold(lock_);
      if (idle_.size() >= most_idle_) return;  // a burst leaves no crowd behind
      idle_.push_back(self);
    }
    self->called.wait(0, std::memory_order_acquire);
  }
}

}  // namespace mirrorball
