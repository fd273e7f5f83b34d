#include "engine/cuda/cuda_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "engine/cuda/cuda_net.h"
#include "net/noise_points.h"

namespace mirrorball::engine {
namespace {

/// Rows that are brought to the device, or drawn for, at a time, and draws that a thread asks for at a time.
constexpr std::size_t kCudaBlock = 1 << 16, kDrawnFloats = 1 << 20;
/// More networks at once bring nothing: the GPU is full.
constexpr std::size_t kCudaNetworks = 64;
/// Weights, Adam's means and squares, averaged weights, best weights: the parts of a state, in its order.
constexpr int kCudaParts = 5, kAveragePart = 3, kBestPart = 4;

void need(const char* trouble) {
  if (trouble) system_failure("{}", trouble);
}

}  // namespace

/// A table in the memory of a device.
class CudaRows {
 public:
  CudaRows(const MirrorballCuda& door, int device, const net::NetShape& shape, const rows::RowStore& store)
      : door_(door) {
    const MirrorballCudaNet net = cuda_net(shape);
    need(door.open_rows(device, &net, store.size(), &rows_));
    try {
      fill(shape, store);
    } catch (...) {
      door.close_rows(rows_);
      throw;
    }
  }
  CudaRows(const CudaRows&) = delete;
  CudaRows& operator=(const CudaRows&) = delete;
  ~CudaRows() { door_.close_rows(rows_); }

  const MirrorballCudaRows* get() const { return rows_; }

 private:
  void fill(const net::NetShape& shape, const rows::RowStore& store) {
    const std::size_t block = std::min(kCudaBlock, store.size());
    std::vector<float> numbers(block * shape.numbers), targets(block * shape.targets), weights(block);
    std::vector<std::int32_t> codes(block * shape.codes);
    std::vector<rows::RowNumber> which(block);
    for (std::size_t first = 0; first < store.size(); first += block) {
      const std::size_t count = std::min(block, store.size() - first);
      std::iota(which.begin(), which.end(), static_cast<rows::RowNumber>(first));
      store.gather(std::span(which).first(count),
                   {numbers.data(), shape.numbers, codes.data(), targets.data(), weights.data()});
      need(
          door_.fill_rows(rows_, first, count, numbers.data(), codes.data(), targets.data(), weights.data()));
    }
  }

  const MirrorballCuda& door_;
  MirrorballCudaRows* rows_ = nullptr;
};

namespace {

class CudaTrainEngine : public TrainEngine {
 public:
  CudaTrainEngine(const MirrorballCuda& door, const TrainTask& task, std::shared_ptr<const CudaRows> rows,
                  const Buffer<float>& start)
      : door_(door), size_(start.size()), averages_(task.averages), rows_(std::move(rows)) {
    std::vector<float> points(task.validation_samples * task.shape.noise_dim);
    Stream random(task.seed, Purpose::kValidation, task.network);
    if (!points.empty()) net::spread_points(random, task.shape.noise_dim, points);
    const std::vector<double> lattice = net::lattice_steps(task.shape.noise_dim);
    MirrorballCudaTask plain{};
    plain.net = cuda_net(task.shape);
    plain.seed = task.seed;
    plain.network = task.network;
    plain.draws = task.noise.draws;
    plain.grid = task.noise.grid;
    plain.stratified = task.noise.stratified;
    plain.alpha = task.loss.alpha;
    plain.pair_weight = task.loss.pair_weight;
    plain.strata = task.loss.strata;
    plain.largest_batch = task.largest_batch;
    plain.bfloat = task.bfloat;
    plain.averages = task.averages;
    plain.validation_samples = task.validation_samples;
    plain.validation_rows = task.validation.size();
    plain.validation_points = points.data();
    plain.validation = task.validation.data();
    plain.validation_pair_weight =
        kernels::EnergyScore::make(task.validation_samples, task.shape.targets, task.loss.alpha, false)
            .pair_weight;
    plain.lattice = lattice.empty() ? nullptr : lattice.data();
    need(door.open_training(&plain, rows_->get(), start.data(), &training_));
  }
  CudaTrainEngine(const CudaTrainEngine&) = delete;
  CudaTrainEngine& operator=(const CudaTrainEngine&) = delete;
  ~CudaTrainEngine() override { door_.close_training(training_); }

  void step(std::span<const rows::RowNumber> batch, std::uint32_t number,
            const kernels::AdamStep& update) override {
    const MirrorballCudaAdam adam{update.rate,        update.beta1,       update.beta2,
                                  update.correction1, update.correction2, update.decay};
    need(door_.step(training_, batch.data(), batch.size(), number, &adam));
  }

  std::vector<double> losses() override {
    const double* values = nullptr;
    std::size_t count = 0;
    need(door_.losses(training_, &values, &count));
    return {values, values + count};
  }

  double validate() override {
    double score = 0;
    need(door_.validate(training_, &score));
    return score;
  }

  void keep_best() override { need(door_.keep_best(training_)); }

  Buffer<float> best_weights() const override {
    Buffer<float> best(size_);
    need(door_.read_part(training_, kBestPart, best.data()));
    return best;
  }

  std::vector<float> state() const override {
    std::vector<float> all;
    for (int part = 0; part < kCudaParts; ++part) {
      if (part == kAveragePart && !averages_) continue;
      all.resize(all.size() + size_);
      need(door_.read_part(training_, part, all.data() + all.size() - size_));
    }
    return all;
  }

  void restore(std::span<const float> state) override {
    const std::size_t wanted = (averages_ ? kCudaParts : kCudaParts - 1) * size_;
    if (state.size() != wanted)
      system_failure("the state of a network has {} numbers, this network has {}", state.size(), wanted);
    for (int part = 0; part < kCudaParts; ++part) {
      if (part == kAveragePart && !averages_) continue;
      need(door_.write_part(training_, part, state.data()));
      state = state.subspan(size_);
    }
  }

 private:
  const MirrorballCuda& door_;
  std::size_t size_;
  bool averages_;
  std::shared_ptr<const CudaRows> rows_;
  MirrorballCudaTraining* training_ = nullptr;
};

struct CudaNoise : EmbeddedNoise {
  explicit CudaNoise(const MirrorballCuda& through) : door(through) {}
  CudaNoise(const CudaNoise&) = delete;
  CudaNoise& operator=(const CudaNoise&) = delete;
  ~CudaNoise() override { door.close_noise(noise); }

  const MirrorballCuda& door;
  MirrorballCudaNoise* noise = nullptr;
  std::size_t draws = 0;  ///< of all networks
};

class CudaDrawEngine : public DrawEngine {
 public:
  CudaDrawEngine(const MirrorballCuda& door, int device, const net::NetShape& shape,
                 const std::vector<Buffer<float>>& weights)
      : door_(door), shape_(shape) {
    const MirrorballCudaNet net = cuda_net(shape);
    std::vector<const float*> each;
    for (const Buffer<float>& one : weights) each.push_back(one.data());
    need(door.open_drawing(device, &net, each.size(), each.data(), &drawing_));
  }
  CudaDrawEngine(const CudaDrawEngine&) = delete;
  CudaDrawEngine& operator=(const CudaDrawEngine&) = delete;
  ~CudaDrawEngine() override { door_.close_drawing(drawing_); }

  std::unique_ptr<EmbeddedNoise> embed(std::span<const NoisePoints> points) const override {
    auto noise = std::make_unique<CudaNoise>(door_);
    std::vector<std::size_t> counts;
    std::vector<const float*> values;
    for (const NoisePoints& one : points) {
      counts.push_back(one.count);
      values.push_back(one.values.data());
      noise->draws += one.count;
    }
    need(door_.embed(drawing_, counts.data(), values.data(), &noise->noise));
    return noise;
  }

  Buffer<float> draw(const EmbeddedNoise& noise, const rows::RowStore& rows,
                     std::span<const rows::RowNumber> which, ThreadPool& pool) const override {
    const auto& own = static_cast<const CudaNoise&>(noise);
    const std::size_t row_size = shape_.targets * own.draws,
                      block = std::clamp<std::size_t>(kDrawnFloats / std::max<std::size_t>(1, row_size), 1,
                                                      kCudaBlock);
    Buffer<float> result(which.size() * row_size);
    struct Scratch {
      std::vector<float> numbers;
      std::vector<std::int32_t> codes;
    };
    std::vector<Scratch> scratch(pool.size());
    pool.run((which.size() + block - 1) / block, [&](std::size_t task, unsigned worker) {
      auto& [numbers, codes] = scratch[worker];
      const std::size_t first = task * block, count = std::min(block, which.size() - first);
      numbers.resize(count * shape_.numbers);
      codes.resize(count * shape_.codes);
      rows.gather(which.subspan(first, count),
                  {numbers.data(), shape_.numbers, codes.data(), nullptr, nullptr});
      need(door_.draw(drawing_, own.noise, count, numbers.data(), codes.data(),
                      result.data() + first * row_size));
    });
    return result;
  }

 private:
  const MirrorballCuda& door_;
  net::NetShape shape_;
  MirrorballCudaDrawing* drawing_ = nullptr;
};

}  // namespace

std::string CudaEngine::name() const { return fmt::format("cuda:{}", device_); }

std::size_t CudaEngine::networks_at_once(std::size_t) const { return kCudaNetworks; }

std::shared_ptr<const CudaRows> CudaEngine::rows_of(const TrainTask& task) const {
  const std::lock_guard hold(lock_);
  std::shared_ptr<const CudaRows> there = rows_.lock();
  if (there && store_ == task.rows) return there;
  there = std::make_shared<const CudaRows>(door_, device_, task.shape, *task.rows);
  store_ = task.rows;
  rows_ = there;
  return there;
}

std::unique_ptr<TrainEngine> CudaEngine::train(const TrainTask& task, const Buffer<float>& start,
                                               ThreadPool&) const {
  return std::make_unique<CudaTrainEngine>(door_, task, rows_of(task), start);
}

std::unique_ptr<DrawEngine> CudaEngine::draw(const net::NetShape& shape,
                                             const std::vector<Buffer<float>>& weights) const {
  return std::make_unique<CudaDrawEngine>(door_, device_, shape, weights);
}

}  // namespace mirrorball::engine
