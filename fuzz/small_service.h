#pragma once

#include "serve/metrics.h"
#include "serve/service.h"

namespace mirrorball::fuzz {

/// A service of the small model, with limits so low that no request computes for long.
struct SmallService {
  SmallService();

  serve::Metrics metrics;
  serve::Service service;
};

}  // namespace mirrorball::fuzz
