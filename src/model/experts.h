#pragma once

#include <optional>

#include "boost/fit_boosted.h"
#include "forest/forest.h"
#include "model/fit_clock.h"
#include "model/parts.h"
#include "neighbours/fit_neighbours.h"
#include "process/process.h"
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

/// As the plan says, from the rows `seen`; of those, all but the forest leave out rows whose
/// neighbours in time or group they must not see.
Experts fit_experts(const train::TrainingRows& rows, std::span<const rows::RowNumber> seen,
                    const FitClock& clock, ThreadPool& pool, const Model::Parts& parts);

/// Those that the calibration gives a share become part of the model.
void keep_experts(Experts experts, Model::Parts& parts);

}  // namespace mirrorball::model
