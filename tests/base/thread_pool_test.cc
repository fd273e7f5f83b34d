#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/cores.h"

namespace mirrorball {
namespace {

using Clock = std::chrono::steady_clock;

/// Threads of this process now.
std::size_t threads_now() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

/// Waits until `holds`, for half a minute at most.
template <class Condition>
bool comes_true(const Condition& holds) {
  for (const auto end = Clock::now() + std::chrono::seconds(30); !holds(); std::this_thread::yield())
    if (Clock::now() > end) return false;
  return true;
}

/// Whether a section of so many tasks has them all running at the same time.
bool meets(ThreadPool& pool, std::size_t tasks) {
  std::atomic<std::size_t> begun = 0;
  std::atomic<bool> all = true;
  pool.run(tasks, [&](std::size_t, unsigned) {
    ++begun;
    if (!comes_true([&] { return begun == tasks; })) all = false;
  });
  return all;
}

/// The exit code of `child` in a forked process.
template <class Child>
int exit_code(const Child& child) {
  const pid_t process = fork();
  if (process == 0) {
    alarm(60);  // a child that hangs is killed
    _exit(child() ? 0 : 1);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ThreadPool, EveryTaskRunsOnce) {
  for (unsigned threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (std::size_t tasks : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> runs(tasks);
      pool.run(tasks, [&](std::size_t task, unsigned worker) {
        EXPECT_LT(worker, threads);
        ++runs[task];
      });
      for (const auto& count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, ManyShortRounds) {
  ThreadPool pool(3);
  std::vector<std::size_t> sums(4, 0);
  for (std::size_t round = 0; round < 5000; ++round)
    pool.run(4, [&](std::size_t task, unsigned) { sums[task] += round; });
  for (std::size_t sum : sums) EXPECT_EQ(sum, 5000u * 4999u / 2);
}

// A worker that was woken for one section and comes in the middle of another must run that one's body.
TEST(ThreadPool, LateWorkersRunTheSectionTheyFind) {
  ThreadPool pool(8);
  for (std::size_t round = 0; round < 5000; ++round) {
    std::vector<std::atomic<std::size_t>> seen(round % 7);
    const auto body = [&seen, round](std::size_t task, unsigned) {
      seen[task] += round + 1;
      if (round % 11 == 10) throw std::out_of_range("a failed section");
    };
    if (round % 11 == 10 && !seen.empty()) {
      EXPECT_THROW(pool.run(seen.size(), body), std::out_of_range);
    } else {
      pool.run(seen.size(), body);
      for (const auto& value : seen) ASSERT_EQ(value, round + 1);
    }
  }
}

TEST(ThreadPool, AnExceptionReachesTheCaller) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(100,
                        [](std::size_t task, unsigned) {
                          if (task == 40) throw std::out_of_range("40");
                        }),
               std::out_of_range);
  std::atomic<int> count = 0;
  pool.run(10, [&](std::size_t, unsigned) { ++count; });  // and the pool goes on
  EXPECT_EQ(count, 10);
}

TEST(ThreadPool, AWorkerHasOneTaskAtATime) {
  ThreadPool pool(4);
  std::vector<std::atomic<bool>> busy(pool.size());
  std::vector<std::size_t> own(pool.size(), 0);  // no atomic: a worker's scratch is its own
  std::atomic<int> shared = 0;
  for (int round = 0; round < 2000; ++round) {
    if (round % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // helpers go and come
    pool.run(6, [&](std::size_t, unsigned worker) {
      if (busy[worker].exchange(true)) ++shared;
      ++own[worker];
      busy[worker] = false;
    });
  }
  EXPECT_EQ(shared, 0);
  std::size_t sum = 0;
  for (std::size_t count : own) sum += count;
  EXPECT_EQ(sum, 12000u);
}

TEST(ThreadPool, TheThreadsReallyRunSideBySide) {
  ThreadPool pool(5);
  for (int round = 0; round < 20; ++round) ASSERT_TRUE(meets(pool, 5));
}

TEST(ThreadPool, OwnersOfAShareHaveAnEvenPartOfItAndHelpTheOthersAtTheirEnd) {
  const auto share = std::make_shared<ThreadShare>(4);
  const auto most_at_once = [](ThreadPool& pool) {
    std::atomic<int> now = 0, most = 0;
    pool.run(40, [&](std::size_t, unsigned worker) {
      EXPECT_LT(worker, pool.size());
      const int here = ++now;
      for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --now;
    });
    return most.load();
  };
  ThreadPool stays(share, 4);
  EXPECT_TRUE(meets(stays, 4));
  {
    ThreadPool ends(share, 4);
    std::thread other([&] { EXPECT_LE(most_at_once(ends), 2); });
    for (int round = 0; round < 5; ++round) EXPECT_LE(most_at_once(stays), 4);
    other.join();
    // Whoever helped before has left by now.
    EXPECT_TRUE(comes_true([&] { return most_at_once(stays) <= 2; }));
    EXPECT_TRUE(meets(ends, 2));
  }
  EXPECT_TRUE(comes_true([&] { return most_at_once(stays) == 4; }));
  ThreadPool few(std::make_shared<ThreadShare>(4), 2);
  EXPECT_EQ(few.size(), 2u);
}

TEST(ThreadPool, SectionsInsideSectionsEnd) {
  ThreadPool outer(3);
  std::vector<std::atomic<int>> runs(5 * 7);
  for (int round = 0; round < 200; ++round)
    outer.run(5, [&](std::size_t task, unsigned) {
      ThreadPool other(2);
      ThreadPool& inner = task % 2 == 0 ? outer : other;
      inner.run(7, [&](std::size_t part, unsigned worker) {
        EXPECT_LT(worker, inner.size());
        ++runs[task * 7 + part];
      });
    });
  for (const auto& count : runs) EXPECT_EQ(count, 200);
}

TEST(ThreadPool, AFailureInsideASectionReachesItsCaller) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run(4,
                        [&](std::size_t, unsigned) {
                          pool.run(4, [](std::size_t, unsigned) { throw std::out_of_range("inner"); });
                        }),
               std::out_of_range);
  EXPECT_THROW(ThreadPool(1).run(2, [](std::size_t, unsigned) { throw std::out_of_range("alone"); }),
               std::out_of_range);
}

// As in a server, or where several networks are trained side by side: pools of several sizes come and go, and
// one is used by all.
TEST(ThreadPool, ManyThreadsHaveSectionsAtATime) {
  ThreadPool common(2);
  std::atomic<std::size_t> sum = 0;
  {
    std::vector<std::jthread> callers;
    for (unsigned caller = 0; caller < 6; ++caller)
      callers.emplace_back([&, caller] {
        for (std::size_t round = 0; round < 200; ++round) {
          ThreadPool own(1 + caller);
          ThreadPool& pool = round % 3 == 0 ? common : own;
          std::vector<std::size_t> parts(8, 0);
          for (int again = 0; again < 3; ++again)
            pool.run(parts.size(), [&](std::size_t task, unsigned) { parts[task] += task; });
          for (std::size_t part : parts) sum += part;
        }
      });
  }
  EXPECT_EQ(sum, 6u * 200u * 3u * 28u);
}

TEST(ThreadPool, OneTaskNeedsNoOtherThread) {
  const std::size_t before = threads_now();
  ThreadPool pool(500);
  std::thread::id runner;
  for (int round = 0; round < 100; ++round)
    pool.run(1, [&](std::size_t, unsigned) { runner = std::this_thread::get_id(); });
  EXPECT_EQ(runner, std::this_thread::get_id());
  EXPECT_LE(threads_now(), before);
  pool.run(2, [](std::size_t, unsigned) {});
  EXPECT_LE(threads_now(), before + 1);  // as many as there are tasks
}

TEST(ThreadPool, PoolsShareTheirThreads) {
  std::set<pid_t> seen;
  std::mutex lock;
  for (int round = 0; round < 200; ++round) {
    ThreadPool pool(2);
    std::atomic<int> begun = 0;
    pool.run(2, [&](std::size_t, unsigned) {
      ++begun;
      comes_true([&] { return begun == 2; });
      const std::lock_guard hold(lock);
      seen.insert(gettid());
    });
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // the helper is back among the idle ones
  }
  EXPECT_LT(seen.size(), 100u);  // 201 if every pool had a thread of its own
}

TEST(ThreadPool, ABurstLeavesFewThreadsBehind) {
  const std::size_t before = threads_now();
  {
    ThreadPool pool(60);
    ASSERT_TRUE(meets(pool, 60));
  }
  EXPECT_TRUE(comes_true([&] { return threads_now() <= before + cores(); })) << threads_now();
}

#ifdef __SANITIZE_THREAD__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Threads do not come along into a forked child, so it has to start its own, also for a pool made before.
TEST(ThreadPool, AForkedChildHasThreadsOfItsOwn) {
  if (kSanitized) GTEST_SKIP() << "the thread sanitizer starts no threads after a fork";
  ThreadPool pool(3);
  ASSERT_TRUE(meets(pool, 3));
  EXPECT_EQ(exit_code([&] { return meets(pool, 3); }), 0);
  EXPECT_EQ(exit_code([] {
              ThreadPool own(3);
              return meets(own, 3);
            }),
            0);
}

// The set's lock may be held by any thread at the moment of the fork.
TEST(ThreadPool, AForkWhileOthersWorkIsSafe) {
  if (kSanitized) GTEST_SKIP() << "the thread sanitizer starts no threads after a fork";
  std::atomic<bool> done = false;
  std::jthread busy([&] {
    while (!done) ThreadPool(2).run(2, [](std::size_t, unsigned) {});
  });
  int code = 0;
  for (int round = 0; round < 30 && code == 0; ++round)
    code = exit_code([] {
      std::atomic<int> count = 0;
      ThreadPool(3).run(10, [&](std::size_t, unsigned) { ++count; });
      return count == 10;
    });
  done = true;  // before anything fails: `busy` waits for it
  EXPECT_EQ(code, 0);
}

/// Makes stacks larger than the address space that is left, so that no thread can be started.
bool forbid_threads() {
  constexpr std::size_t kStack = 1 << 30;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kStack / 2;
  const rlimit most{limit, limit};
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, kStack);
  return pthread_setattr_default_np(&large) == 0 && setrlimit(RLIMIT_AS, &most) == 0;
}

TEST(ThreadPool, WithoutMoreThreadsTheCallerWorksAlone) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need address space";
  EXPECT_EQ(exit_code([] {
              if (!forbid_threads()) return false;
              ThreadPool pool(3);
              int count = 0;  // no atomic: nobody else comes
              for (int round = 0; round < 10; ++round)
                pool.run(100, [&](std::size_t, unsigned worker) { count += worker == 0 ? 1 : 1000000; });
              return count == 1000;
            }),
            0);
}

}  // namespace
}  // namespace mirrorball
