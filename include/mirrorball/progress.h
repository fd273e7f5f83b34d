#pragma once

#include <functional>
#include <vector>

namespace mirrorball {

/// News of one network's training. Members train side by side, so news of several come in turn. Scores are
/// energy scores of the transformed targets.
struct Progress {
  double share = 0;    ///< of the whole fit
  bool refit = false;  ///< training on with all rows, after the best epochs were found
  int networks = 0, networks_done = 0;
  int network = 0;            ///< whose news this is, from 1
  int epoch = 0, epochs = 0;  ///< epochs done so far
  double epoch_share = 0;     ///< of the epoch under way; 0 right after an epoch
  double train_score = 0;     ///< over the last epoch
  double valid_score = 0;     ///< after the last epoch, on fixed noise
  double best_score = 0;      ///< lowest valid_score so far
  int best_epoch = 0;
};

/// Called after every epoch of every network and a few times a second within one, always on the thread that
/// called `fit`. Returning false ends training in good order: the best weights so far make the model.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Per-epoch record of one network.
struct NetworkHistory {
  std::vector<double> train, valid;
  int best_epoch = 0;    ///< the epoch whose weights are kept, from 1
  bool stopped = false;  ///< ended by the callback
  bool refit = false;    ///< trained on with all rows afterwards
};

}  // namespace mirrorball
