#pragma once

#include <cstdint>

#include "kernels/energy_score.h"
#include "net/sampler.h"
#include "train/step.h"

namespace mirrorball {

/// The score of a network on the validation rows, always on the same noise, so that epochs can be compared.
class Validation {
 public:
  Validation(const NetShape& shape, const NetLayout& layout, const Options& options, std::uint32_t member,
             const TrainingRows& rows, ThreadPool& pool);

  /// Weighted mean energy score (squared error for a network without noise).
  double score(const float* weights);

 private:
  const NetShape& shape_;
  const TrainingRows& rows_;
  EnergyScore energy_;
  std::vector<float> points_;
  NetSampler sampler_;
  std::vector<double> row_scores_;
  std::vector<std::vector<std::uint64_t>> scratch_;  ///< one per worker
  std::vector<std::vector<float>> draws_;            ///< with the slack the kernel wants, one per worker
};

}  // namespace mirrorball
