#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "group/group.h"
#include "kernels/adam.h"
#include "kernels/energy_score.h"
#include "net/shape.h"
#include "net/step_noise.h"
#include "rows/row_store.h"

/// Where the arithmetic of the networks runs. An engine is a device; what it trains and draws with lives
/// there, and only rows, samples and finished weights cross the line. Every engine sees the same batches and
/// the same noise: random numbers are keyed by (seed, purpose, network, step, place).
namespace mirrorball::engine {

/// All that an engine must know to train one network; the plan has settled every part of it.
struct TrainTask {
  net::NetShape shape;
  std::uint64_t seed = 0;
  std::uint32_t network = 0;
  net::StepNoise noise;
  kernels::EnergyScore loss;
  std::size_t largest_batch = 0;
  bool bfloat = false;   ///< products of bfloats
  bool averages = true;  ///< keeps a running average of the weights, which is what counts in the end
  std::size_t validation_samples = 16;
  const rows::RowStore* rows = nullptr;
  std::span<const rows::RowNumber> validation;  ///< rows of the validation score; may be none
  /// The processes that train this network together: each makes the same calls, and has the same results.
  const group::Group* team = &group::one_process();
};

/// One network in training: its weights, Adam's moments, the averaged and the best weights.
class TrainEngine {
 public:
  virtual ~TrainEngine() = default;

  /// A gradient step on the rows `batch`, the `step`-th from 0. It may return before the step is done.
  virtual void step(std::span<const rows::RowNumber> batch, std::uint32_t step,
                    const kernels::AdamStep& update) = 0;
  /// The mean losses, each before its step, of the steps since the last call, in their order.
  virtual std::vector<double> losses() = 0;

  /// The mean score of the validation rows, by weight, always on the same noise: the energy score, or the
  /// squared error of a network without noise.
  virtual double validate() = 0;

  /// Keeps the weights as they are now: the average, where there is one.
  virtual void keep_best() = 0;
  /// Those kept last; the starting weights where none were.
  virtual Buffer<float> best_weights() const = 0;

  /// All that steps and `keep_best` have changed so far, as a list of numbers.
  virtual std::vector<float> state() const = 0;
  /// Goes on from such a state of a network of the same task. Throws for one of another length.
  virtual void restore(std::span<const float> state) = 0;
};

/// The noise of one network: `count` points of noise_dim values. A network without noise has one point
/// without values.
struct NoisePoints {
  std::size_t count = 0;
  std::vector<float> values;
};

/// What the networks make of their noise points, on the engine's device; the same for all rows.
class EmbeddedNoise {
 public:
  virtual ~EmbeddedNoise() = default;
};

/// The fitted networks of a model. Safe to use from several threads, each with a pool of its own.
class DrawEngine {
 public:
  virtual ~DrawEngine() = default;

  /// One entry for each network.
  virtual std::unique_ptr<EmbeddedNoise> embed(std::span<const NoisePoints> points) const = 0;

  /// Draws in transformed units for the rows `which`: for each row, for each target, one for every noise
  /// point, one network's after the other's. A row's draws do not depend on the other rows.
  virtual Buffer<float> draw(const EmbeddedNoise& noise, const rows::RowStore& rows,
                             std::span<const rows::RowNumber> which, ThreadPool& pool) const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string name() const = 0;
  /// Whether there are products of bfloats, and whether they are the faster ones.
  virtual bool has_bfloat() const = 0;
  virtual bool bfloat_is_faster() const = 0;
  /// How many networks train at the same time where the host has so many threads.
  virtual std::size_t networks_at_once(std::size_t threads) const = 0;
  /// Whether the host's threads train the networks, and have no time for anything else meanwhile.
  virtual bool trains_on_host() const { return true; }
  /// How many processes can share a step of so many rows; 1 where the engine knows no teams.
  virtual std::size_t shares_of_step(const net::StepNoise& noise, std::size_t rows) const;
  virtual std::unique_ptr<TrainEngine> train(const TrainTask& task, const Buffer<float>& start,
                                             ThreadPool& pool) const = 0;
  /// `weights` holds one buffer per network and must outlive the result.
  virtual std::unique_ptr<DrawEngine> draw(const net::NetShape& shape,
                                           const std::vector<Buffer<float>>& weights) const = 0;
};

/// The processor cores of this machine; engine/device.h chooses among all.
const Engine& default_engine();

}  // namespace mirrorball::engine
