#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "border.h"
#include "mirrorball/progress.h"

namespace mirrorball::binding {

/// Progress as a C structure.
struct News {
  double share, seconds_left, lowest_score;
  int networks, networks_done, epoch, epochs, phase;
};

/// Long work on a thread of its own, so that Python's thread can wait for news and see to signals between.
/// Python code runs on Python's thread only: the work stands still until its news are answered.
class Work {
 public:
  enum State { kGoesOn = 0, kHasNews = 1, kEnded = 2 };
  /// Hands news over and says whether to go on.
  using Tell = std::function<bool(const Progress&)>;

  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Waits for news or the end, for so many seconds at most. News stay until they are answered.
  State wait(double seconds, News* news);
  void answer(bool go_on);

 protected:
  void start(std::function<void(const Tell&)> body);
  /// Answers all news with a stop and waits for the end.
  void stop() noexcept;
  /// After the end: throws what the work threw.
  void check();

 private:
  bool tell(const Progress& now);

  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = kGoesOn;
  bool go_on_ = true, abandoned_ = false;
  News news_ = {};
  std::exception_ptr error_;
  std::thread thread_;
};

template <class Result>
class WorkFor final : public Work {
 public:
  explicit WorkFor(std::function<Result(const Tell&)> body) {
    start([this, body = std::move(body)](const Tell& tell) { result_.emplace(body(tell)); });
  }
  ~WorkFor() override { stop(); }

  Result take() {
    check();
    return *std::move(result_);
  }

 private:
  std::optional<Result> result_;
};

}  // namespace mirrorball::binding
