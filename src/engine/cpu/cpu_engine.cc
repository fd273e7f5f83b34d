#include "engine/cpu/cpu_engine.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "engine/cpu/sampler.h"
#include "engine/cpu/step.h"
#include "engine/cpu/validation.h"
#include "kernels/level.h"

namespace mirrorball::engine {
namespace {

Buffer<float> copy_of(const Buffer<float>& from) {
  Buffer<float> to(from.size());
  std::copy(from.begin(), from.end(), to.begin());
  return to;
}

class CpuTrainEngine : public TrainEngine {
 public:
  CpuTrainEngine(const TrainTask& task, const Buffer<float>& start, ThreadPool& pool)
      : task_(task),
        layout_(task_.shape),
        step_(task_, layout_, pool),
        validation_(task_, layout_, pool),
        weights_(copy_of(start)),
        mean_(layout_.size),
        square_(layout_.size),
        average_(task.averages ? copy_of(start) : Buffer<float>()),
        best_(copy_of(start)) {}

  void step(std::span<const rows::RowNumber> batch, std::uint32_t number,
            const kernels::AdamStep& update) override {
    losses_.push_back(step_.gradient(batch, number, weights_.data()));
    step_.update(update, {weights_.data(), mean_.data(), square_.data(), average_.data()});
  }
  std::vector<double> losses() override { return std::exchange(losses_, {}); }

  double validate() override { return validation_.score(current().data()); }
  void keep_best() override { std::copy(current().begin(), current().end(), best_.begin()); }
  Buffer<float> best_weights() const override { return copy_of(best_); }

  std::vector<float> state() const override {
    std::vector<float> all;
    for (const Buffer<float>* part : {&weights_, &mean_, &square_, &average_, &best_})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }

  void restore(std::span<const float> state) override {
    const std::size_t wanted = 4 * layout_.size + average_.size();
    if (state.size() != wanted)
      system_failure("the state of a network has {} numbers, this network has {}", state.size(), wanted);
    for (Buffer<float>* part : {&weights_, &mean_, &square_, &average_, &best_}) {
      std::copy_n(state.begin(), part->size(), part->begin());
      state = state.subspan(part->size());
    }
  }

 private:
  const Buffer<float>& current() const { return average_.size() ? average_ : weights_; }

  TrainTask task_;
  net::NetLayout layout_;
  TrainStep step_;
  Validation validation_;
  Buffer<float> weights_, mean_, square_, average_, best_;
  std::vector<double> losses_;  ///< that nobody has asked for yet
};

struct CpuNoise : EmbeddedNoise {
  std::vector<std::size_t> counts;  ///< one per network
  std::vector<Buffer<float>> phi;
};

class CpuDrawEngine : public DrawEngine {
 public:
  CpuDrawEngine(const net::NetShape& shape, const std::vector<Buffer<float>>& weights)
      : shape_(shape), layout_(shape_), weights_(weights) {}

  std::unique_ptr<EmbeddedNoise> embed(std::span<const NoisePoints> points) const override {
    auto noise = std::make_unique<CpuNoise>();
    for (std::size_t network = 0; network < points.size(); ++network) {
      const auto& [count, values] = points[network];
      noise->counts.push_back(count);
      noise->phi.push_back(embed_noise(shape_, layout_, weights_[network].data(), values, count));
    }
    return noise;
  }

  Buffer<float> draw(const EmbeddedNoise& noise, const rows::RowStore& rows,
                     std::span<const rows::RowNumber> which, ThreadPool& pool) const override {
    const auto& [counts, phi] = static_cast<const CpuNoise&>(noise);
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    Buffer<float> result(which.size() * shape_.targets * all);
    std::optional<NetSampler> sampler;  // serves all networks with the same number of draws
    for (std::size_t network = 0, first = 0; network < counts.size(); first += counts[network++]) {
      const std::size_t own = counts[network];
      if (own == 0) continue;
      if (!sampler || sampler->draws() != own) sampler.emplace(shape_, layout_, own, pool);
      sampler->run(weights_[network].data(), phi[network].data(), rows, which,
                   [&](std::size_t row, const float* draws, unsigned) {
                     for (std::size_t t = 0; t < shape_.targets; ++t)
                       std::copy_n(draws + t * own, own,
                                   result.data() + (row * shape_.targets + t) * all + first);
                   });
    }
    return result;
  }

 private:
  net::NetShape shape_;
  net::NetLayout layout_;
  const std::vector<Buffer<float>>& weights_;
};

}  // namespace

std::string CpuEngine::name() const { return "cpu"; }
bool CpuEngine::has_bfloat() const { return kernels::cpu_level().bfloat; }
bool CpuEngine::bfloat_is_faster() const { return kernels::cpu_level().bfloat_is_faster; }
std::size_t CpuEngine::networks_at_once(std::size_t threads) const { return threads; }
std::size_t CpuEngine::shares_of_step(const net::StepNoise& noise, std::size_t rows) const {
  return shard_count(noise, rows);
}

std::unique_ptr<TrainEngine> CpuEngine::train(const TrainTask& task, const Buffer<float>& start,
                                              ThreadPool& pool) const {
  return std::make_unique<CpuTrainEngine>(task, start, pool);
}

std::unique_ptr<DrawEngine> CpuEngine::draw(const net::NetShape& shape,
                                            const std::vector<Buffer<float>>& weights) const {
  return std::make_unique<CpuDrawEngine>(shape, weights);
}

}  // namespace mirrorball::engine
