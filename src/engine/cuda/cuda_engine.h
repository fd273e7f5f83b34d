#pragma once

#include <memory>
#include <mutex>

#include "engine/cuda/door.h"
#include "engine/engine.h"

namespace mirrorball::engine {

class CudaRows;

/// An NVIDIA GPU, by the functions of libmirrorball_cuda.so.
class CudaEngine : public Engine {
 public:
  CudaEngine(const MirrorballCuda& door, int device) : door_(door), device_(device) {}

  std::string name() const override;
  bool has_bfloat() const override { return true; }
  bool bfloat_is_faster() const override { return true; }
  /// Every network has a thread that does little but queue its steps.
  std::size_t networks_at_once(std::size_t threads) const override;
  bool trains_on_host() const override { return false; }
  std::unique_ptr<TrainEngine> train(const TrainTask& task, const Buffer<float>& start,
                                     ThreadPool& pool) const override;
  std::unique_ptr<DrawEngine> draw(const net::NetShape& shape,
                                   const std::vector<Buffer<float>>& weights) const override;

 private:
  std::shared_ptr<const CudaRows> rows_of(const TrainTask& task) const;

  const MirrorballCuda& door_;
  int device_;
  /// The table that was brought to the device last, while a network in training has it.
  mutable std::mutex lock_;
  mutable const rows::RowStore* store_ = nullptr;
  mutable std::weak_ptr<const CudaRows> rows_;
};

}  // namespace mirrorball::engine
