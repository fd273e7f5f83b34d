#pragma once

#include "model/parts.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// Corrects the forecasts of a fitted model on rows it was not trained on, as the plan says: fills
/// parts.calibration, or leaves it empty where the plan has no calibration. `forest` may be null.
void calibrate(const train::TrainingRows& rows, const forest::GrownForest* forest, ThreadPool& pool,
               Model::Parts& parts);

}  // namespace mirrorball::model
