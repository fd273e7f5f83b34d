#pragma once

#include "mirrorball/options.h"

namespace mirrorball::toy {

/// Two small networks, quickly trained and without experts but the forest.
inline Options quick(Calibrate calibrate) {
  Options options;
  options.networks = 2;
  options.width = 32;
  options.waves = 4;
  options.wave_high = 0.3;
  options.epochs = 10;
  options.min_steps = 0;
  options.calibrate = calibrate;
  options.gaussian_process = 0;
  options.boosting = 0;
  options.neighbours = 0;
  return options;
}

}  // namespace mirrorball::toy
