#include "work.h"

#include <chrono>

namespace mirrorball::binding {
namespace {

News news_of(const Progress& now) {
  return {now.share,         now.seconds_left, now.lowest_score, now.networks,
          now.networks_done, now.epoch,        now.epochs,       static_cast<int>(now.phase)};
}

}  // namespace

void Work::start(std::function<void(const Tell&)> body) {
  thread_ = std::thread([this, body = std::move(body)] {
    std::exception_ptr error;
    try {
      body([this](const Progress& now) { return tell(now); });
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = error;
    state_ = kEnded;
    changed_.notify_all();
  });
}

bool Work::tell(const Progress& now) {
  std::unique_lock lock(mutex_);
  if (abandoned_) return false;
  news_ = news_of(now);
  state_ = kHasNews;
  changed_.notify_all();
  changed_.wait(lock, [this] { return state_ != kHasNews || abandoned_; });
  return go_on_ && !abandoned_;
}

Work::State Work::wait(double seconds, News* news) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return state_ != kGoesOn; });
  if (state_ == kHasNews) *news = news_;
  return state_;
}

void Work::answer(bool go_on) {
  const std::lock_guard lock(mutex_);
  if (state_ != kHasNews) return;
  go_on_ = go_on;
  state_ = kGoesOn;
  changed_.notify_all();
}

void Work::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Work::check() {
  stop();
  if (error_) std::rethrow_exception(error_);
}

MIRRORBALL_BORDER int mirrorball_work_wait(Work* work, double seconds, News* news) {
  return work->wait(seconds, news);
}

MIRRORBALL_BORDER void mirrorball_work_answer(Work* work, int go_on) { work->answer(go_on != 0); }

MIRRORBALL_BORDER void mirrorball_work_free(Work* work) { delete work; }

}  // namespace mirrorball::binding
