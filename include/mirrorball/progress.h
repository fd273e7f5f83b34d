#pragma once

#include <functional>
#include <vector>

namespace mirrorball {

/// Where training stands. Scores are energy scores of the transformed targets.
struct Progress {
  int member = 0, members = 0;  ///< member counts from 1
  int epoch = 0, epochs = 0;    ///< epochs done so far
  double epoch_share = 0;       ///< of the epoch under way; 0 right after an epoch
  double train_score = 0;       ///< over the last epoch
  double valid_score = 0;       ///< after the last epoch, on fixed noise
  double best_score = 0;        ///< lowest valid_score so far
  int best_epoch = 0;
};

/// Called after every epoch and a few times a second within one. Returning false ends training in good order:
/// the best weights so far make the model.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Per-epoch record of one member.
struct MemberHistory {
  std::vector<double> train, valid;
  int best_epoch = 0;    ///< the epoch whose weights are kept, from 1
  bool stopped = false;  ///< ended by the callback
};

}  // namespace mirrorball
