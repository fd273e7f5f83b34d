#pragma once

#include "model/experts.h"
#include "model/parts.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// Corrects the forecasts of a fitted model on rows it was not trained on, as the plan says: fills
/// parts.calibration, or leaves it empty where the plan has no calibration. Then scores the same rows for
/// parts.report. The way of the neighbours is chosen too. With `seconds` above 0 it looks at no more rows
/// than it can in that time, and the plan gets their number.
void calibrate(const train::TrainingRows& rows, Experts& experts, double seconds, ThreadPool& pool,
               Model::Parts& parts);

}  // namespace mirrorball::model
