#pragma once

#include "calibrate/held_out.h"

namespace mirrorball::calibrate {

/// Adds the tails: of a few settings the one with the least log CRPS + 0.05 NLL in the target's units. No
/// tails are one of them, unless some must be kept.
void fit_tails(const HeldOut& rows, bool keep_some, ThreadPool& pool, Calibration& calibration);

}  // namespace mirrorball::calibrate
