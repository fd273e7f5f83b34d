#include "model/fit_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace mirrorball {
namespace {

/// A fit on a clock of its own: networks one after the other, each a while for every epoch, then a
/// calibration and the refit.
class FitProgressTest : public testing::Test {
 protected:
  struct News {
    Progress progress;
    double at;
  };

  FitProgressTest() {
    plan_.networks = 3;
    plan_.epochs = 60;
    plan_.best_from = 20;
    plan_.patience = 10;
    plan_.training_rows = 900;
    plan_.validation_rows = 100;
    plan_.calibration_rows = 100;
    plan_.trees = 10;
    plan_.refit = false;
  }

  /// Epochs of each network, and the best of them.
  void run(const std::vector<int>& epochs, double epoch_seconds, double calibration_seconds) {
    const model::FitClock clock(0, 0, [this] { return now_; });
    const ProgressCallback note = [&](const Progress& progress) {
      told_.push_back({progress, now_});
      return true;
    };
    model::FitProgress progress(plan_, clock, note, experts_);
    const ProgressCallback before = progress.experts(), training = progress.training();
    for (int second = 0; second < expert_seconds_; ++second) {
      before({});
      now_ += 1;
      experts_[0].watch.done = (second + 1.0) / expert_seconds_;
    }
    for (std::size_t network = 0; network < epochs.size(); ++network)
      for (int epoch = 1; epoch <= epochs[network]; ++epoch) {
        now_ += epoch_seconds;
        Progress one;
        one.network = static_cast<int>(network) + 1;
        one.epoch = epoch;
        one.epochs = plan_.epochs;
        one.best_epoch = std::min(epoch, epochs[network] - plan_.patience);
        one.best_score = 1.0 / one.best_epoch + static_cast<double>(network);  // each begins far above
        one.finished = epoch == epochs[network];
        training(one);
      }
    progress.calibration();
    now_ += calibration_seconds;
    end_ = now_;
  }

  /// Experts that take this long, and, with epochs of a second, as much work.
  void give_experts(int seconds) {
    expert_seconds_ = seconds;
    experts_.emplace_back().work = seconds * 900;
  }

  Plan plan_;
  std::deque<model::ExpertWork> experts_;
  int expert_seconds_ = 0;
  double now_ = 0, end_ = 0;
  std::vector<News> told_;
};

TEST_F(FitProgressTest, PhasesAreToldAndNothingGoesBack) {
  give_experts(1);
  run({30, 34, 32}, 1, 4);
  EXPECT_EQ(told_.front().progress.phase, FitPhase::kForest);
  EXPECT_EQ(told_.back().progress.phase, FitPhase::kCalibration);
  double share = 0, lowest = 1e9;
  for (const auto& [progress, at] : told_) {
    EXPECT_GE(progress.share, share);
    share = progress.share;
    if (progress.lowest_score == 0) continue;
    EXPECT_LE(progress.lowest_score, lowest);
    lowest = progress.lowest_score;
  }
}

// From the end of the first network on, the time left is right; before, it is no more than twice what comes.
TEST_F(FitProgressTest, TheTimeLeftComesTrue) {
  run({31, 33, 32}, 1, 10);
  for (const auto& [progress, at] : told_) {
    if (progress.phase != FitPhase::kTraining || at < 5) continue;
    const double left = end_ - at;
    EXPECT_NEAR(progress.seconds_left, left, (at > 32 ? 0.15 : 1.0) * left + 3) << "at " << at;
  }
}

// Also from within the experts: once their speed is known, it is no more than twice what comes.
TEST_F(FitProgressTest, TheTimeLeftCountsExperts) {
  give_experts(40);
  run({31, 33, 32}, 1, 10);
  double told = 0;
  for (const auto& [progress, at] : told_) {
    if (progress.phase == FitPhase::kCalibration || at < 2) continue;
    const double left = end_ - at;
    told += progress.phase == FitPhase::kForest;
    EXPECT_NEAR(progress.seconds_left, left, (at > 72 ? 0.15 : 0.6) * left + 3) << "at " << at;
  }
  EXPECT_GT(told, 30);
}

TEST_F(FitProgressTest, ANetworkThatNoLongerImprovesIsExpectedToEnd) {
  plan_.networks = 1;
  run({30}, 1, 0);
  std::vector<double> left;
  for (const auto& [progress, at] : told_)
    if (progress.phase == FitPhase::kTraining) left.push_back(progress.seconds_left);
  // Without a better score for half of the patience, the end is nearer than half way to the last epoch.
  EXPECT_LT(left[24], 20 + 5);
  EXPECT_LT(left[27], 10 + 5);
  for (std::size_t i = 21; i < left.size(); ++i) EXPECT_LT(left[i], left[i - 1]);
}

}  // namespace
}  // namespace mirrorball
