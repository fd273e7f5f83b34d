#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "base/watch.h"
#include "boost/fit_boosted.h"
#include "forest/forest.h"
#include "model/fit_clock.h"
#include "model/parts.h"
#include "neighbours/fit_neighbours.h"
#include "plan/rules.h"
#include "process/process.h"
#include "train/ensemble.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// What forecasts beside the networks, with what it takes to ask about rows as if they had not been seen.
struct Experts {
  std::optional<forest::GrownForest> forest;
  std::optional<process::FittedProcess> process;
  std::vector<boost::FittedBoost> boosted;  ///< one per target, or none
  std::optional<neighbours::FittedNeighbours> neighbours;
  std::optional<neighbours::Way>
      way;  ///< of the neighbours, once a calibration has chosen it; none: no share
};

/// How far the fit of an expert is, and what it takes altogether, in rows that the default network trains on.
struct ExpertWork {
  double work = 0;
  Watch watch;
};

/// The fits of the experts that the plan has, as jobs that need nothing of each other, from the rows `seen`;
/// of those, all but the forest leave out rows whose neighbours in time or group they must not see.
class ExpertFits {
 public:
  ExpertFits(const train::TrainingRows& rows, std::span<const rows::RowNumber> seen, const FitClock& clock,
             const Model::Parts& parts);

  /// In the order of their parts of a limited time; without a limit the longest first. A job that is left out
  /// leaves out its expert.
  train::SideWork side_work();
  const std::deque<ExpertWork>& works() const { return works_; }
  /// Once no job is under way.
  Experts take(ThreadPool& pool);

 private:
  using Job = std::function<void(Watch&, ThreadPool&)>;

  void add(double work, Job job);
  void grow_forest(Watch& watch, ThreadPool& pool);
  void fit_process(Watch& watch, ThreadPool& pool);
  void boost(Watch& watch, ThreadPool& pool);
  void fit_metric(Watch& watch, ThreadPool& pool);
  neighbours::MetricData metric_data() const;

  const train::TrainingRows& rows_;
  std::span<const rows::RowNumber> seen_;
  const FitClock& clock_;
  const Model::Parts& parts_;
  const Plan& plan_;
  plan::TimeShares until_;
  std::deque<ExpertWork> works_;  ///< a watch stays where it is
  std::vector<Job> jobs_;
  std::optional<neighbours::Metric> metric_;
  Experts made_;
};

/// Those that the calibration gives a share become part of the model.
void keep_experts(Experts experts, Model::Parts& parts);

}  // namespace mirrorball::model
