#pragma once

#include "model/parts.h"
#include "train/step.h"

namespace mirrorball {

/// Corrects the forecasts of a fitted model on rows it was not trained on: fills parts.calibration, or leaves
/// it empty where there is nothing to go by. `forest` may be null.
void calibrate(const TrainingRows& rows, const GrownForest* forest, ThreadPool& pool, Model::Parts& parts);

}  // namespace mirrorball
