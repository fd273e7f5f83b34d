#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu/sampler.h"
#include "engine/engine.h"
#include "group/parts.h"

namespace mirrorball::engine {

/// The score of a network on the validation rows, always on the same noise, so that epochs can be compared.
/// The processes of a team score some of the rows each.
class Validation {
 public:
  /// All of them must outlive this.
  Validation(const TrainTask& task, const net::NetLayout& layout, ThreadPool& pool);

  /// Weighted mean energy score (squared error for a network without noise).
  double score(const float* weights);

 private:
  const TrainTask& task_;
  const net::NetLayout& layout_;
  kernels::EnergyScore energy_;
  std::vector<float> points_;
  NetSampler sampler_;
  Buffer<float> targets_, weights_;  ///< of the validation rows
  std::vector<double> row_scores_;
  group::Bounds parts_;                              ///< rows of each process
  std::vector<std::vector<std::uint64_t>> scratch_;  ///< one per worker
  std::vector<std::vector<float>> draws_;            ///< with the slack the kernel wants, one per worker
};

}  // namespace mirrorball::engine
