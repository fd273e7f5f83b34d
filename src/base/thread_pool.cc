#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "base/cores.h"
#include "base/thread_set.h"

namespace mirrorball {
namespace {

// Long enough to bridge the serial part between two sections of a step, short enough not to burn a core for
// long.
constexpr int kSpins = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Whether `value` differs from `old` before so many spins are over.
bool changes(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return true;
    pause();
  }
  return false;
}

}  // namespace

void ThreadShare::join() {
  ++owners_;
  free_.fetch_sub(1, std::memory_order_relaxed);
}

void ThreadShare::leave() {
  --owners_;
  give();
}

bool ThreadShare::take(std::size_t helpers) {
  const int owners = std::max(1, owners_.load(std::memory_order_relaxed));
  if (static_cast<int>(helpers) + 1 >= (threads_ + owners - 1) / owners) return false;
  int free = free_.load(std::memory_order_relaxed);
  do {
    if (free <= 0) return false;
  } while (!free_.compare_exchange_weak(free, free - 1, std::memory_order_relaxed));
  return true;
}

/// What the caller and its helpers share; it lives until the last of them has left.
struct ThreadPool::Shared {
  Shared(unsigned size, int most_spins)
      : places(size), spins(most_spins), generation(ThreadSet::instance().generation()) {}

  void begin(std::size_t count, const Body& what);
  void help(unsigned worker);
  void work(unsigned worker);
  void wait();
  bool claim(std::size_t& task);
  void finish(std::size_t count);

  std::vector<std::atomic<bool>> places;  ///< which workers have a thread; place 0 is the caller's
  const int spins;
  std::uint32_t generation;  ///< of the threads in the places
  std::atomic<bool> open{false}, stop{false};
  const Body* body = nullptr;
  std::size_t tasks = 0;
  std::atomic<std::size_t> unclaimed{0};
  std::atomic<std::uint32_t> unfinished{0}, round{0};  // 32 bits: what the system can wait on itself
  std::mutex failure_lock;
  std::exception_ptr failure;
};

ThreadPool::ThreadPool(unsigned threads) : size_(threads == 0 ? cores() : threads) {
  if (size_ > 1) shared_ = std::make_shared<Shared>(size_, size_ <= cores() ? kSpins : 0);
}

ThreadPool::ThreadPool(std::shared_ptr<ThreadShare> share, unsigned most)
    : ThreadPool(std::clamp(most, 1u, share->threads())) {
  share_ = std::move(share);
  share_->join();
}

ThreadPool::~ThreadPool() {
  if (share_) share_->leave();
  if (!shared_) return;
  shared_->stop.store(true, std::memory_order_relaxed);
  shared_->round.fetch_add(1, std::memory_order_release);  // helpers that spin leave at once
}

void ThreadPool::run(std::size_t tasks, const Body& body) {
  if (size_ == 1 || tasks <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  // A section inside a section, or beside one, has helpers of its own; of shared threads there are none.
  if (shared_->open.exchange(true, std::memory_order_acquire))
    return ThreadPool(share_ ? 1 : size_).run(tasks, body);
  shared_->begin(tasks, body);
  borrow(std::min<std::size_t>(size_, tasks) - 1);
  shared_->work(0);
  shared_->wait();
  const std::exception_ptr failure = std::exchange(shared_->failure, nullptr);
  shared_->open.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

/// Sees to it that so many places have a thread. Those that are still there from the section before have seen
/// the new one, or see it when they leave.
void ThreadPool::borrow(std::size_t helpers) {
  ThreadSet& threads = ThreadSet::instance();
  if (shared_->generation != threads.generation()) {  // a forked child: they stayed with the parent
    shared_->generation = threads.generation();
    for (std::atomic<bool>& place : shared_->places) place = false;
  }
  for (std::size_t worker = 1; worker <= helpers; ++worker) {
    std::atomic<bool>& place = shared_->places[worker];
    if (place.exchange(true)) continue;
    if (share_ && !share_->take(worker - 1)) {
      place = false;
      return;
    }
    try {
      threads.start([shared = shared_, share = share_, worker] {
        shared->help(static_cast<unsigned>(worker));
        if (share) share->give();
      });
    } catch (const std::exception&) {  // no more threads, or no memory for one: fewer are only slower
      place = false;
      if (share_) share_->give();
      return;
    }
  }
}

void ThreadPool::Shared::begin(std::size_t count, const Body& what) {
  body = &what;
  tasks = count;
  unfinished.store(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
  unclaimed.store(count, std::memory_order_release);
  round.fetch_add(1);
}

/// Either a helper that leaves sees the next round, or `borrow` sees its place empty: both orders below and
/// there are sequentially consistent. Where both happen, the place goes to whoever takes it first.
void ThreadPool::Shared::help(unsigned worker) {
  while (!stop.load(std::memory_order_relaxed)) {
    const std::uint32_t seen = round.load(std::memory_order_acquire);
    work(worker);
    if (changes(round, seen, spins)) continue;
    places[worker] = false;
    if (round.load() == seen || places[worker].exchange(true)) return;
  }
}

void ThreadPool::Shared::wait() {
  for (std::uint32_t left; (left = unfinished.load(std::memory_order_acquire)) != 0;)
    if (!changes(unfinished, left, spins)) unfinished.wait(left, std::memory_order_acquire);
}

void ThreadPool::Shared::work(unsigned worker) {
  for (std::size_t task; claim(task); finish(1)) try {
      (*body)(task, worker);
    } catch (...) {
      {
        const std::lock_guard hold(failure_lock);
        if (!failure) failure = std::current_exception();
      }
      finish(unclaimed.exchange(0, std::memory_order_acq_rel));  // the rest is not begun
    }
}

/// A claimed task keeps its section open, so `tasks` and `body` are the section's until it is finished,
/// whichever section the worker was woken for.
bool ThreadPool::Shared::claim(std::size_t& task) {
  std::size_t left = unclaimed.load(std::memory_order_relaxed);
  do {
    if (left == 0) return false;
  } while (
      !unclaimed.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  task = tasks - left;
  return true;
}

void ThreadPool::Shared::finish(std::size_t count) {
  const auto less = static_cast<std::uint32_t>(count);
  if (unfinished.fetch_sub(less, std::memory_order_acq_rel) == less) unfinished.notify_one();
}

}  // namespace mirrorball
