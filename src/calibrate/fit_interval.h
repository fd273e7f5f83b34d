#pragma once

#include "calibrate/held_out.h"

namespace mirrorball::calibrate {

/// Whether the forecasts repeat values: then a closed interval holds more than its level, whether it is right
/// or not.
bool values_repeat(const HeldOut& rows, std::size_t samples, ThreadPool& pool,
                   const Calibration& calibration);

/// Adds the factor of the interval: the smallest that lets the central 90% interval of `samples` draws cover
/// ceil(0.9 (n + 1)) of the n rows. With `by_rank`, a factor below 1 is that of ranks instead, 1 at most: a
/// row whose outcome equals several draws counts by the share of their ranks that are inside. On rows used
/// for nothing else, and with the very draws that a forecast is made of, this is split conformal prediction:
/// the interval of a new row covers with a probability of at least 90%.
void fit_interval(const HeldOut& rows, std::size_t samples, bool by_rank, ThreadPool& pool,
                  Calibration& calibration);

}  // namespace mirrorball::calibrate
