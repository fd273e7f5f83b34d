#include "train/ensemble.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace mirrorball {
namespace {

/// Where trainers on other threads bring their news. The callback belongs to the thread that serves the desk:
/// a trainer waits there for its answer.
class Desk {
 public:
  Desk(int members, const ProgressCallback& callback)
      : shares_(static_cast<std::size_t>(members), 0.0), callback_(callback) {}

  /// By a trainer. False means to stop.
  bool ask(const Progress& news) {
    if (!callback_) return !closed_;
    Question question{news};
    std::unique_lock hold(lock_);
    if (closed_) return false;
    waiting_.push_back(&question);
    arrived_.notify_one();
    answered_.wait(hold, [&] { return question.done; });
    return question.go_on;
  }

  /// By the thread that owns the callback: answers until `crews` have left.
  void serve(std::size_t crews) {
    std::unique_lock hold(lock_);
    for (;;) {
      arrived_.wait(hold, [&] { return !waiting_.empty() || left_ == crews; });
      if (waiting_.empty()) break;
      Question& question = *waiting_.front();
      waiting_.pop_front();
      question.go_on = !closed_ && answer(question.news, hold);
      question.done = true;
      answered_.notify_all();
    }
    left_ = 0;
    if (failure_) std::rethrow_exception(failure_);
  }

  void member_finished(std::uint32_t member) {
    const std::lock_guard hold(lock_);
    shares_[member] = 1.0;
  }

  void leave() {
    const std::lock_guard hold(lock_);
    ++left_;
    arrived_.notify_one();
  }

  /// The first failure ends the training of all.
  void fail(std::exception_ptr failure) {
    const std::lock_guard hold(lock_);
    closed_ = true;
    if (!failure_) failure_ = std::move(failure);
  }

  bool closed() const { return closed_; }

 private:
  struct Question {
    Progress news;
    bool done = false, go_on = false;
  };

  /// Adds what only the desk knows, and asks the callback, with the lock open meanwhile.
  bool answer(Progress news, std::unique_lock<std::mutex>& hold) {
    shares_[static_cast<std::size_t>(news.member - 1)] = (news.epoch + news.epoch_share) / news.epochs;
    for (double share : shares_) news.share += share / static_cast<double>(shares_.size());
    news.members_done = static_cast<int>(std::count(shares_.begin(), shares_.end(), 1.0));
    bool go_on = false;
    std::exception_ptr thrown;
    hold.unlock();
    try {
      go_on = callback_(news);
    } catch (...) {
      thrown = std::current_exception();
    }
    hold.lock();
    if (!go_on) closed_ = true;
    if (thrown && !failure_) failure_ = thrown;
    return go_on;
  }

  std::mutex lock_;
  std::condition_variable arrived_, answered_;
  std::deque<Question*> waiting_;
  std::vector<double> shares_;  ///< of each member's training done
  std::size_t left_ = 0;
  std::atomic<bool> closed_{false};
  std::exception_ptr failure_;
  const ProgressCallback& callback_;
};

/// Makes the random numbers of the refit others than those of the first training.
constexpr std::uint64_t kOtherSeed = 0x9E3779B97F4A7C15u;

class EnsembleTrainer {
 public:
  EnsembleTrainer(const NetShape& shape, const NetLayout& layout, const Options& options,
                  const TrainingRows& rows, const ProgressCallback& progress,
                  std::span<const Buffer<float>> starts)
      : shape_(shape),
        layout_(layout),
        options_(options),
        rows_(rows),
        starts_(starts),
        desk_(options.members, progress),
        trained_(static_cast<std::size_t>(options.members)) {}

  std::vector<TrainedMember> run(std::uint32_t threads) {
    threads_ = threads;
    const auto members = static_cast<std::uint32_t>(trained_.size()), shared = members % threads;
    run_crews(members - shared, threads, threads);
    if (shared > 0) run_crews(members, shared, threads);
    std::vector<TrainedMember> begun;
    for (std::optional<TrainedMember>& member : trained_)
      if (member) begun.push_back(std::move(*member));
    return begun;
  }

 private:
  /// Crews, which share the threads evenly, each take one member after the other, up to `end`.
  void run_crews(std::uint32_t end, std::uint32_t count, std::uint32_t threads) {
    if (desk_.closed() || next_ >= end) return;
    std::vector<std::jthread> crews;
    for (std::uint32_t i = 0; i < count; ++i) try {
        const std::uint32_t size = threads * (i + 1) / count - threads * i / count;
        crews.emplace_back([this, end, size] { work(end, size); });
      } catch (const std::system_error&) {
        if (crews.empty()) throw;
        break;  // the system gives no more threads; fewer crews are only slower
      }
    desk_.serve(crews.size());
    next_ = end;  // the last crews each looked once more
  }

  void work(std::uint32_t end, std::uint32_t threads) {
    try {
      ThreadPool pool(threads);
      const ProgressCallback ask = [this](const Progress& news) { return desk_.ask(news); };
      for (std::uint32_t member; !desk_.closed() && (member = next_++) < end;) {
        trained_[member] = train_member(shape_, layout_, options_, member, rows_, pool, ask,
                                        time_slot(member), starts_.empty() ? nullptr : &starts_[member]);
        desk_.member_finished(member);
      }
    } catch (...) {
      desk_.fail(std::current_exception());
    }
    desk_.leave();
  }

  /// This member's part of the time left; none without a limit. Members that share the threads come last and
  /// have all that is left; before, there are as many rounds to go as whole and shared members make.
  std::optional<TimeSlot> time_slot(std::uint32_t member) const {
    if (options_.time_limit == 0) return {};
    const auto members = static_cast<std::uint32_t>(trained_.size());
    const double left = std::max(1e-3, options_.time_limit * (1 - whole_.used()));
    const double rounds = static_cast<double>(members - member / threads_ * threads_) / threads_;
    return TimeSlot(left / std::max(1.0, rounds));
  }

  const NetShape& shape_;
  const NetLayout& layout_;
  const Options& options_;
  const TrainingRows& rows_;
  std::span<const Buffer<float>> starts_;
  TimeSlot whole_{options_.time_limit};
  std::uint32_t threads_ = 1;
  Desk desk_;
  std::vector<std::optional<TrainedMember>> trained_;
  std::atomic<std::uint32_t> next_{0};
};

}  // namespace

std::vector<TrainedMember> train_members(const NetShape& shape, const NetLayout& layout,
                                         const Options& options, const TrainingRows& rows, unsigned threads,
                                         const ProgressCallback& progress) {
  return EnsembleTrainer(shape, layout, options, rows, progress, {}).run(threads);
}

void refit_members(const NetShape& shape, const NetLayout& layout, const Options& options,
                   const TrainingRows& rows, unsigned threads, const ProgressCallback& progress,
                   std::vector<MemberHistory>& history, std::vector<Buffer<float>>& weights) {
  Options again = options;
  again.members = static_cast<int>(weights.size());
  const double planned = static_cast<double>(TrainingPlan::make(options, shape, rows.train.size()).epochs);
  double best = 0;
  for (const MemberHistory& member : history) best += member.best_epoch / static_cast<double>(history.size());
  // Networks that were best early on would only learn the rows by heart.
  again.epochs = std::max(1, static_cast<int>(std::lround(std::min((planned + best) / 8, best / 2))));
  again.min_steps = 0;
  again.learning_rate = options.learning_rate / 4;
  again.warmup = 0.1;
  again.seed = options.seed + kOtherSeed;
  std::vector<TrainedMember> refitted =
      EnsembleTrainer(shape, layout, again, rows, progress, weights).run(threads);
  for (std::size_t member = 0; member < refitted.size(); ++member) {
    history[member].refit = !refitted[member].history.stopped;
    if (history[member].refit) weights[member] = std::move(refitted[member].weights);
  }
}

}  // namespace mirrorball
