#pragma once

#include "engine/engine.h"

namespace mirrorball::engine {

/// This machine's processor cores, at its CPU level.
class CpuEngine : public Engine {
 public:
  std::string name() const override;
  bool has_bfloat() const override;
  bool bfloat_is_faster() const override;
  std::size_t networks_at_once(std::size_t threads) const override;
  std::size_t shares_of_step(const net::StepNoise& noise, std::size_t rows) const override;
  std::unique_ptr<TrainEngine> train(const TrainTask& task, const Buffer<float>& start,
                                     ThreadPool& pool) const override;
  std::unique_ptr<DrawEngine> draw(const net::NetShape& shape,
                                   const std::vector<Buffer<float>>& weights) const override;
};

}  // namespace mirrorball::engine
