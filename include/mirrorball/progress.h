#pragma once

#include <functional>
#include <vector>

namespace mirrorball {

/// What a fit does: kForest is everything that forecasts beside the networks, forest, Gaussian process,
/// boosted trees and neighbours, as long as no network trains beside it; kCache, the first, where the table
/// does not fit into memory.
enum class FitPhase { kForest, kTraining, kCalibration, kRefit, kCache };

/// Progress of a fit and, while networks train, of one of them. They train in parallel, so calls for several
/// of them alternate. Scores are energy scores of the transformed targets.
struct Progress {
  double share = 0;          ///< fraction of the whole fit, by time; it never decreases
  double seconds_left = -1;  ///< estimated time until the fit ends; below 0 before there is an estimate
  double lowest_score = 0;   ///< the lowest valid_score of any network so far; 0 before there is one
  FitPhase phase =
      FitPhase::kTraining;  ///< refit: training on with all rows, after the best epochs were found
  int networks = 0, networks_done = 0;
  int network = 0;            ///< which network, from 1; 0 where the news are of none
  int epoch = 0, epochs = 0;  ///< epochs done so far
  double epoch_share = 0;     ///< fraction of the current epoch; 0 right after an epoch
  bool finished = false;      ///< this network's training is over
  double train_score = 0;     ///< over the last epoch
  double valid_score = 0;     ///< after the last epoch, on fixed noise
  double best_score = 0;      ///< lowest valid_score so far
  int best_epoch = 0;
};

/// Called when a calibration begins, ten times a second while trees and neighbours are fitted, after every
/// epoch of every network and a few times a second within one, always on the thread that called `fit`.
/// Returning false ends training, and whatever is fitted beside it, in good order: the best weights so far
/// make the model.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Per-epoch record of one network.
struct NetworkHistory {
  std::vector<double> train, valid;
  int best_epoch = 0;    ///< the epoch whose weights are kept, from 1
  bool stopped = false;  ///< ended by the callback
  bool refit = false;    ///< trained on with all rows afterwards
};

}  // namespace mirrorball
