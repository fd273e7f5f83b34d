#pragma once

#include "base/watch.h"
#include "neighbours/soft_step.h"

namespace mirrorball::neighbours {

/// How a metric is learned.
struct MetricPlan {
  std::size_t steps = 2000;
  std::size_t queries = 128;      ///< rows of a step that are forecast
  std::size_t candidates = 4096;  ///< rows of a step, at most: those that forecast
  float rate = 0.03f;             ///< of Adam, falling to 0
  double seconds = 0;             ///< no step begins later; 0: no limit
  Watch* watch = nullptr;         ///< may be none
};

/// The metric with the least loss of `SoftStep` for those of `rows` that have a weight above 0. With fewer
/// rows than a step's queries there is nothing to learn by: the metric is the one that learning begins with.
Metric fit_metric(const MetricData& data, std::span<const std::uint32_t> rows, const MetricPlan& plan,
                  std::uint64_t seed, ThreadPool& pool);

}  // namespace mirrorball::neighbours
