#include "train/ensemble.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "group/together.h"
#include "plan/rules.h"
#include "train/bytes.h"
#include "train/exchange.h"
#include "train/work_shares.h"

namespace mirrorball::train {
namespace {

/// So often the callback is asked while side work, which has no news of its own, goes on.
constexpr auto kPoll = std::chrono::milliseconds(100);

/// Where trainers on other threads bring their news. The callback belongs to the thread that serves the
/// relay: a trainer waits there for its answer.
class ProgressRelay {
 public:
  /// `own` of the networks are trained in this process, and news come of these alone.
  ProgressRelay(std::size_t networks, std::size_t own, const ProgressCallback& callback,
                const SideWork& beside)
      : shares_(networks, 0.0),
        own_(static_cast<double>(std::max<std::size_t>(1, own))),
        callback_(callback),
        jobs_left_(beside.jobs.size()),
        stop_jobs_(beside.stop) {}

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

  /// By the thread that owns the callback: answers until so many `trainers` have left.
  void serve(std::size_t trainers) {
    std::unique_lock hold(lock_);
    for (;;) {
      const auto there_is = [&] { return !waiting_.empty() || left_ == trainers; };
      if (!callback_ || jobs_left_ == 0) {
        arrived_.wait(hold, there_is);
      } else if (!arrived_.wait_for(hold, kPoll, there_is)) {
        if (!closed_) call({}, hold);
        continue;
      }
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

  void network_finished(std::uint32_t network) {
    const std::lock_guard hold(lock_);
    shares_[network] = 1.0;
  }

  void job_finished() {
    const std::lock_guard hold(lock_);
    --jobs_left_;
  }

  void leave() {
    const std::lock_guard hold(lock_);
    ++left_;
    arrived_.notify_one();
  }

  /// The first failure ends the training of all.
  void fail(std::exception_ptr failure) {
    const std::lock_guard hold(lock_);
    close();
    if (!failure_) failure_ = std::move(failure);
  }

  bool closed() const { return closed_; }
  bool failed() {
    const std::lock_guard hold(lock_);
    return failure_ != nullptr;
  }

 private:
  struct Question {
    Progress news;
    bool done = false, go_on = false;
  };

  /// Adds what only the relay knows, and asks the callback, with the lock open meanwhile.
  bool answer(Progress news, std::unique_lock<std::mutex>& hold) {
    shares_[static_cast<std::size_t>(news.network - 1)] =
        news.finished ? 1 : (news.epoch + news.epoch_share) / news.epochs;
    return call(news, hold);
  }

  bool call(Progress news, std::unique_lock<std::mutex>& hold) {
    for (const double share : shares_) news.share += share / own_;
    news.networks_done = static_cast<int>(std::count(shares_.begin(), shares_.end(), 1.0));
    bool go_on = false;
    std::exception_ptr thrown;
    hold.unlock();
    try {
      go_on = callback_(news);
    } catch (...) {
      thrown = std::current_exception();
    }
    hold.lock();
    if (!go_on) close();
    if (thrown && !failure_) failure_ = thrown;
    return go_on;
  }

  void close() {
    if (!closed_.exchange(true) && stop_jobs_) stop_jobs_();
  }

  std::mutex lock_;
  std::condition_variable arrived_, answered_;
  std::deque<Question*> waiting_;
  std::vector<double> shares_;  ///< of each network's training done
  double own_;
  std::size_t left_ = 0;
  std::atomic<bool> closed_{false};
  std::exception_ptr failure_;
  const ProgressCallback& callback_;
  std::size_t jobs_left_;
  std::function<void()> stop_jobs_;
};

/// What is shared must not depend on a process: the fewest threads that any of them has.
std::size_t fewest_threads(const group::Group& group, std::size_t own) {
  if (group.size() == 1) return own;
  ByteWriter bytes;
  bytes.add(own);
  for (const std::vector<std::byte>& other : group.gather(bytes.bytes))
    own = std::min(own, ByteReader(other).take<std::size_t>());
  return own;
}

/// Fits with a time limit depend on the clock, which no two processes see alike: they share no steps.
std::size_t shares_of_step(const engine::Engine& engine, const Plan& plan) {
  if (plan.time_limit > 0) return 1;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return engine.shares_of_step({size(plan.draws), plan.stratified, size(plan.noise_table)}, size(plan.batch));
}

class EnsembleTrainer {
 public:
  /// With `starts`, networks go on from these weights.
  EnsembleTrainer(const engine::Engine& engine, const net::NetShape& shape, const Plan& plan,
                  const TrainingRows& rows, const group::Group& group, const ProgressCallback& progress,
                  std::span<const Buffer<float>> starts, StateStore* store, std::size_t threads,
                  const SideWork& beside)
      : engine_(engine),
        shape_(shape),
        plan_(plan),
        rows_(rows),
        group_(group),
        starts_(starts),
        store_(store),
        beside_(beside),
        host_threads_(threads),
        threads_(engine.networks_at_once(threads)),
        trained_(static_cast<std::size_t>(plan.networks)) {
    const std::size_t shares = shares_of_step(engine, plan);
    for (const WorkShare& share :
         share_work(trained_.size(), group.size(), shares, fewest_threads(group, threads_)))
      if (share.has(group.rank())) (share.count == 1 ? own_ : teamwork_).push_back(share);
    relay_.emplace(trained_.size(), own_.size() + teamwork_.size(), progress, beside_);
    most_threads_ = std::max(shares, (threads_ + own_.size()) / std::max<std::size_t>(1, own_.size()));
  }

  /// All networks by number; those not begun after a stop are empty.
  Networks run() {
    run_side_by_side();
    run_in_teams();
    exchange(group_, trained_);
    return std::move(trained_);
  }

 private:
  /// This process's networks and the side work, each by a thread that leads it. Where a device of its own
  /// trains the networks, their threads have little to do, but are not to wait.
  void run_side_by_side() {
    const std::size_t jobs = beside_.jobs.size(), own = own_.size();
    std::vector<std::jthread> leaders;
    if (engine_.trains_on_host()) {
      const auto share = std::make_shared<ThreadShare>(static_cast<unsigned>(threads_));
      add_leaders(std::min(threads_, jobs + own), leaders, [this, share] {
        lead_jobs(share);
        lead_networks([&] { return ThreadPool(share, static_cast<unsigned>(most_threads_)); });
      });
    } else {
      const std::size_t rest = host_threads_ > own + jobs ? host_threads_ - own : jobs;
      const auto share = std::make_shared<ThreadShare>(static_cast<unsigned>(std::max<std::size_t>(1, rest)));
      add_leaders(std::min(threads_, own), leaders, [this] { lead_networks([] { return ThreadPool(1); }); });
      add_leaders(std::min(host_threads_, jobs), leaders, [this, share] { lead_jobs(share); });
    }
    relay_->serve(leaders.size());
  }

  /// Threads that lead, each of which leaves the relay at its end. Where the system gives no more of them,
  /// fewer are only slower.
  template <class Lead>
  void add_leaders(std::size_t count, std::vector<std::jthread>& leaders, const Lead& lead) {
    for (std::size_t i = 0; i < count; ++i) try {
        leaders.emplace_back([this, lead] { run_leader(lead); });
      } catch (const std::system_error& error) {
        if (i == 0)
          relay_->fail(std::make_exception_ptr(std::runtime_error(fmt::format(
              "cannot start a thread: {}; allow this process more threads or memory", error.what()))));
        break;
      }
  }

  void lead_jobs(const std::shared_ptr<ThreadShare>& share) {
    ThreadPool pool(share, share->threads());
    for (std::size_t job; !relay_->closed() && (job = next_job_++) < beside_.jobs.size();) {
      beside_.jobs[job](pool);
      relay_->job_finished();
    }
  }

  /// The first network is begun in any case: a fit that is stopped has a model.
  template <class MakePool>
  void lead_networks(const MakePool& make_pool) {
    ThreadPool pool = make_pool();
    for (std::size_t place; (place = next_++) < own_.size() && may_begin(place);)
      train_one(own_[place].network, pool, time_slot(place), group::one_process());
  }

  bool may_begin(std::size_t place) { return !relay_->closed() || (place == 0 && !relay_->failed()); }

  /// Trains the networks that this process shares with others, one after the other, with all its threads. A
  /// process that is to stop stops its team; the first of a team has the network for those outside.
  void run_in_teams() {
    if (teamwork_.empty()) return;
    const group::SubGroup team(group_, teamwork_[0].first, teamwork_[0].count);
    std::jthread trainer([&] {
      run_leader([&] {
        ThreadPool pool(static_cast<unsigned>(threads_));
        for (const WorkShare& share : teamwork_) {
          if (group::any_of(team, relay_->closed())) return;
          train_one(share.network, pool, {}, team);
          if (team.rank() > 0) trained_[share.network].reset();
        }
      });
    });
    relay_->serve(1);
  }

  template <class Lead>
  void run_leader(const Lead& lead) {
    try {
      lead();
    } catch (...) {
      relay_->fail(std::current_exception());
    }
    relay_->leave();
  }

  void train_one(std::uint32_t network, ThreadPool& pool, const std::optional<TimeSlot>& slot,
                 const group::Group& team) {
    const ProgressCallback ask = [this](const Progress& news) { return relay_->ask(news); };
    trained_[network] = train_network(shape_, plan_, network, rows_, pool, ask, slot,
                                      starts_.empty() ? nullptr : &starts_[network], store_, engine_, team);
    relay_->network_finished(network);
  }

  /// A network's part of the time left; none without a limit. Networks that share the threads come last and
  /// have all that is left; before, there are as many rounds to go as whole and shared networks make.
  std::optional<TimeSlot> time_slot(std::size_t place) const {
    if (plan_.time_limit == 0) return {};
    const double left = std::max(1e-3, plan_.time_limit * (1 - whole_.used()));
    const double rounds =
        static_cast<double>(own_.size() - place / threads_ * threads_) / static_cast<double>(threads_);
    return TimeSlot(left / std::max(1.0, rounds));
  }

  const engine::Engine& engine_;
  const net::NetShape& shape_;
  const Plan& plan_;
  const TrainingRows& rows_;
  const group::Group& group_;
  std::span<const Buffer<float>> starts_;
  StateStore* store_;  ///< may be null
  TimeSlot whole_{plan_.time_limit};
  SideWork beside_;
  std::size_t host_threads_, threads_;  ///< of the machine; that train networks at the same time
  std::size_t most_threads_ = 1;        ///< of a network
  Networks trained_;
  std::vector<WorkShare> own_, teamwork_;  ///< what this process trains alone, and what with others
  std::optional<ProgressRelay> relay_;
  std::atomic<std::size_t> next_{0}, next_job_{0};
};

}  // namespace

std::vector<TrainedNetwork> train_networks(const net::NetShape& shape, const Plan& plan,
                                           const TrainingRows& rows, const group::Group& group,
                                           unsigned threads, const ProgressCallback& progress,
                                           StateStore* store, const engine::Engine& engine,
                                           const SideWork& beside) {
  std::vector<TrainedNetwork> begun;
  for (std::optional<TrainedNetwork>& network :
       EnsembleTrainer(engine, shape, plan, rows, group, progress, {}, store, threads, beside).run())
    if (network) begun.push_back(std::move(*network));
  return begun;
}

void do_side_work(const SideWork& work, unsigned threads, const ProgressCallback& progress) {
  ProgressRelay relay(0, 0, progress, work);
  std::jthread worker([&] {
    try {
      ThreadPool pool(threads);
      for (const auto& job : work.jobs) {
        if (relay.closed()) break;
        job(pool);
        relay.job_finished();
      }
    } catch (...) {
      relay.fail(std::current_exception());
    }
    relay.leave();
  });
  relay.serve(1);
}

void refit_networks(const net::NetShape& shape, const Plan& plan, const TrainingRows& rows,
                    const group::Group& group, unsigned threads, const ProgressCallback& progress,
                    std::vector<NetworkHistory>& history, std::vector<Buffer<float>>& weights,
                    StateStore* store, const engine::Engine& engine) {
  double best = 0;
  for (const NetworkHistory& one : history) best += one.best_epoch / static_cast<double>(history.size());
  Plan again = plan::refit_plan(plan, best);
  again.networks = static_cast<int>(weights.size());
  Networks refitted =
      EnsembleTrainer(engine, shape, again, rows, group, progress, weights, store, threads, {}).run();
  for (std::size_t i = 0; i < refitted.size(); ++i) {
    history[i].refit = refitted[i] && !refitted[i]->history.stopped;
    if (history[i].refit) weights[i] = std::move(refitted[i]->weights);
  }
}

}  // namespace mirrorball::train
