#include "train/state_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "train/ensemble.h"
#include "train/line_data.h"

namespace mirrorball {
namespace {

struct Cut {};

/// Keeps a network after every step, and ends the process, so to say, when it was asked to for the n-th time.
class MemoryStore : public train::StateStore {
 public:
  std::optional<train::KeptState> load(std::uint32_t network) override {
    const std::lock_guard hold(lock_);
    const auto found = kept_.find(network);
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
  }
  bool due(std::chrono::steady_clock::time_point) const override { return true; }
  void save(std::uint32_t network, train::NetworkStage stage, std::vector<std::byte> bytes) override {
    const std::lock_guard hold(lock_);
    if (++saves == crash_at) throw Cut();
    kept_[network] = {stage, std::move(bytes)};
  }

  std::size_t saves = 0, crash_at = 0;

 private:
  std::mutex lock_;
  std::map<std::uint32_t, train::KeptState> kept_;
};

Options few_epochs(double averaging, int patience) {
  Options options = line::quick();
  options.epochs = 6;
  options.averaging = averaging;
  options.patience = patience;
  return options;
}

train::TrainedNetwork trained(const train::TrainingRows& rows, const Options& options,
                              train::StateStore* store, const Buffer<float>* start = nullptr) {
  static const net::NetShape shape = line::line_shape();
  ThreadPool pool(1);
  return train::train_network(shape, line::plan_of(options, rows), 0, rows, pool, {}, {}, start, store);
}

void expect_same(const train::TrainedNetwork& one, const train::TrainedNetwork& other) {
  EXPECT_TRUE(std::equal(one.weights.begin(), one.weights.end(), other.weights.begin(), other.weights.end()));
  EXPECT_EQ(one.history.train, other.history.train);
  EXPECT_EQ(one.history.valid, other.history.valid);
  EXPECT_EQ(one.history.best_epoch, other.history.best_epoch);
}

/// Cut off at every step there is, it must come to the same end to the bit.
void expect_resumes(const train::TrainingRows& rows, const Options& options,
                    const Buffer<float>* start = nullptr) {
  const train::TrainedNetwork whole = trained(rows, options, nullptr, start);
  MemoryStore all;
  expect_same(trained(rows, options, &all, start), whole);
  ASSERT_GT(all.saves, 30u);
  for (std::size_t crash = 1; crash <= all.saves; ++crash) {
    MemoryStore store;
    store.crash_at = crash;
    EXPECT_THROW(trained(rows, options, &store, start), Cut);
    expect_same(trained(rows, options, &store, start), whole);
    EXPECT_LE(store.saves, all.saves + 1) << "began anew instead of going on after crash " << crash;
  }
}

TEST(StateStore, TrainingGoesOnAsIfNothingHadHappened) {
  expect_resumes(line::line_rows(300, 60), few_epochs(0.99, 2));
}

TEST(StateStore, WithoutAverageOrValidationToo) {
  expect_resumes(line::line_rows(300, 0), few_epochs(0, -1));
}

TEST(StateStore, ARefitGoesOnToo) {
  const train::TrainingRows rows = line::line_rows(300, 60);
  const train::TrainedNetwork first = trained(rows, few_epochs(0.9, -1), nullptr);
  expect_resumes(line::line_rows(360, 0), few_epochs(0.9, -1), &first.weights);
}

TEST(StateStore, AnEnsembleGoesOnWithEachOfItsNetworks) {
  static const net::NetShape shape = line::line_shape();
  const train::TrainingRows rows = line::line_rows(300, 60);
  Options options = few_epochs(0.99, -1);
  options.networks = 5;
  const Plan plan = line::plan_of(options, rows);
  const auto networks = [&](unsigned threads, train::StateStore* store) {
    return train::train_networks(shape, plan, rows, group::one_process(), threads, {}, store);
  };
  const std::vector<train::TrainedNetwork> whole = networks(1, nullptr);
  for (const std::size_t crash : {3u, 50u, 111u, 170u}) {
    MemoryStore store;
    store.crash_at = crash;
    EXPECT_THROW(networks(2, &store), Cut);
    const std::vector<train::TrainedNetwork> again = networks(3, &store);
    ASSERT_EQ(again.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) expect_same(again[i], whole[i]);
  }
}

TEST(StateStore, AStateOfAnotherNetworkIsRefused) {
  MemoryStore store;
  store.save(0, train::NetworkStage::kUnderWay, std::vector<std::byte>(100));
  EXPECT_THROW(trained(line::line_rows(300, 60), few_epochs(0.99, 2), &store), std::runtime_error);
}

}  // namespace
}  // namespace mirrorball
