#include "step_file.h"

#include <fmt/format.h>

#include <fstream>
#include <numeric>

#include "engine/cpu/step.h"
#include "made.h"
#include "model/safetensors.h"

namespace mirrorball::bench {
namespace {

model::StoredTensor stored(const std::string& name, std::size_t rows, std::size_t cols, const float* values,
                           std::size_t stride) {
  std::vector<float> dense;
  for (std::size_t row = 0; row < rows; ++row)
    dense.insert(dense.end(), values + row * stride, values + row * stride + cols);
  return model::store<float>(name, "F32", {rows, cols}, dense);
}

void add_network(model::StoredFile& file, const std::string& prefix, const net::NetLayout& layout,
                 const float* values) {
  for (const net::Tensor* tensor : layout.tensors())
    if (tensor->rows > 0)
      file.tensors.push_back(
          stored(prefix + tensor->name, tensor->rows, tensor->cols, tensor->in(values), tensor->stride));
}

/// Loss and gradient of the step with this activation.
void add_result(model::StoredFile& file, const std::string& name, kernels::Act act,
                const train::TrainingRows& rows, std::span<const rows::RowNumber> batch,
                const float* weights) {
  const net::NetShape shape = paper_shape(act);
  const net::NetLayout layout(shape);
  ThreadPool pool;
  const engine::TrainTask task = task_of(shape, kPaperNoise, kPaperBatch, rows);
  engine::TrainStep step(task, layout, pool);
  file.metadata[name + ".loss"] = fmt::format("{:.9g}", step.gradient(batch, 0, weights));
  std::vector<float> gradient(layout.size);
  for (const float* shard : step.shards())
    for (std::size_t i = 0; i < layout.size; ++i) gradient[i] += shard[i];
  add_network(file, name + ".gradient.", layout, gradient.data());
}

}  // namespace

void write_step(const std::string& path) {
  const net::NetShape shape = paper_shape(kernels::Act::kRelu);
  const net::NetLayout layout(shape);
  const train::TrainingRows rows = training_rows(shape, kPaperBatch);
  std::vector<rows::RowNumber> batch(kPaperBatch);
  std::iota(batch.begin(), batch.end(), 0u);
  std::vector<float> noise(kPaperBatch * kPaperNoise.draws);
  for (std::uint32_t row = 0; row < kPaperBatch; ++row) {
    Stream random(1, Purpose::kNoise, 0, 0, row);  // as the step draws it
    net::choose_points(kPaperNoise, 1, random,
                       std::span(noise).subspan(row * kPaperNoise.draws, kPaperNoise.draws));
  }
  const Buffer<float> weights = net::initial_weights(shape, layout, {.init_sd = 0}, 1, 0);
  model::StoredFile file;
  file.tensors.push_back(stored("x", kPaperBatch, kFeatures, rows.inputs.numbers.data(), kFeatures));
  file.tensors.push_back(stored("y", kPaperBatch, 1, rows.targets.data(), 1));
  file.tensors.push_back(stored("noise", kPaperBatch, kPaperNoise.draws, noise.data(), kPaperNoise.draws));
  add_network(file, "", layout, weights.data());
  add_result(file, "relu", kernels::Act::kRelu, rows, batch, weights.data());
  add_result(file, "tanh", kernels::Act::kTanh, rows, batch, weights.data());
  std::ofstream out(path, std::ios::binary);
  model::write_safetensors(file, out);
}

}  // namespace mirrorball::bench
