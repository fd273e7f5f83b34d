#include "http/workers.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <system_error>

namespace mirrorball::http {
namespace {

/// Serves numbers instead of sockets; none is served to its end before `let_go`.
struct Served {
  void operator()(int number) {
    std::unique_lock lock(mutex);
    begun.insert(number);
    changed.notify_all();
    changed.wait(lock, [this] { return go_on; });
  }
  void wait_for(int number) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun.contains(number); });
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    go_on = true;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::set<int> begun;
  bool go_on = false;
};

TEST(HttpWorkers, ServeSomeLetSomeWaitAndTakeNoMore) {
  Served served;
  {
    Workers workers(2, 1, [&](int number) { served(number); });
    EXPECT_TRUE(workers.take(1));
    EXPECT_TRUE(workers.take(2));
    served.wait_for(1);
    served.wait_for(2);
    EXPECT_EQ(workers.waiting(), 0u);
    EXPECT_TRUE(workers.take(3));
    EXPECT_EQ(workers.waiting(), 1u);
    EXPECT_FALSE(workers.take(4));
    served.let_go();
  }
  EXPECT_EQ(served.begun, (std::set<int>{1, 2, 3}));
}

TEST(HttpWorkers, DoWithTheThreadsThatThereAre) {
  Served served;
  int most = 0, started = 0;
  const auto start = [&](std::function<void()> work) {
    if (started == most)
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    ++started;
    return Workers::start_thread(std::move(work));
  };
  {
    Workers workers(
        8, 1, [&](int number) { served(number); }, start);
    EXPECT_FALSE(workers.take(1)) << "nobody could ever serve it";
    most = 1;
    EXPECT_TRUE(workers.take(2));
    served.wait_for(2);
    EXPECT_TRUE(workers.take(3));
    EXPECT_FALSE(workers.take(4));
    served.let_go();
  }
  EXPECT_EQ(served.begun, (std::set<int>{2, 3}));
}

}  // namespace
}  // namespace mirrorball::http
