#pragma once

#include <algorithm>

#include "engine/cuda/device/loss.cuh"
#include "engine/cuda/device/pass.cuh"
#include "engine/cuda/device/table.cuh"

namespace mirrorball::cuda {

/// The score of a network on the validation rows, always on the same noise.
class Validation {
 public:
  Validation(const MirrorballCudaTask& task, const Net& net, const Table& table)
      : net_(net),
        table_(table),
        draws_(net.noisy() ? task.validation_samples : 1),
        rows_(task.validation_rows),
        chunk_(std::min(rows_, Sampling::most_rows(net, table.device, draws_))),
        loss_{static_cast<int>(draws_),    net.targets, task.alpha,
              task.validation_pair_weight, false,       net.noisy()},
        sampling_(net, table.device, chunk_, draws_),
        which_(rows_),
        points_(draws_ * net.dims),
        features_(draws_ * net.features),
        phi_(draws_ * net.stride),
        y_(chunk_ * draws_ * net.targets),
        row_scores_(rows_),
        scores_(rows_),
        weights_(rows_) {
    which_.fill(task.validation, rows_);
    if (net.noisy()) points_.fill(task.validation_points, draws_ * net.dims);
    std::vector<float> all(table.weights.size());
    if (rows_ == 0) return;
    check(cudaMemcpy(all.data(), table.weights.data(), all.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < rows_; ++i) weights_[i] = all[task.validation[i]];
  }

  /// The mean over the rows, by weight.
  double score(const Stream& stream, const float* weights) {
    if (net_.noisy())
      embed_noise(stream, net_, weights, {nullptr, 1}, 1, static_cast<int>(draws_), points_.data(),
                  features_.data(), phi_.data(), nullptr);
    const auto targets = static_cast<std::size_t>(net_.targets);
    for (std::size_t first = 0; first < rows_; first += chunk_) {
      const Rows some{nullptr, static_cast<int>(std::min(chunk_, rows_ - first))};
      const std::uint32_t* which = which_.data() + first;
      sampling_.draw(stream, weights, some.count, {table_.numbers.data(), table_.codes.data(), which},
                     phi_.data(), draws_, {y_.data(), draws_ * targets, 1, targets});
      row_loss<<<some.count, 32, 0, stream>>>(
          loss_, some,
          LossArrays{table_.targets.data(), table_.weights.data(), which, y_.data(), nullptr, nullptr,
                     nullptr, row_scores_.data() + first});
    }
    check(cudaGetLastError());
    stream.wait();
    check(cudaMemcpy(scores_.data(), row_scores_.data(), rows_ * sizeof(double), cudaMemcpyDeviceToHost));
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      sum += scores_[i] * weights_[i];
      weight += weights_[i];
    }
    return sum / weight;
  }

 private:
  Net net_;
  const Table& table_;
  std::size_t draws_, rows_, chunk_;
  Loss loss_;
  Sampling sampling_;
  Memory<std::uint32_t> which_;
  Memory<float> points_, features_, phi_, y_;
  Memory<double> row_scores_;
  std::vector<double> scores_;
  std::vector<double> weights_;
};

}  // namespace mirrorball::cuda
