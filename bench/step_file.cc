#include "step_file.h"

#include <fmt/format.h>

#include <fstream>
#include <numeric>
#include <utility>

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

/// Loss and gradient of such a step.
void add_result(model::StoredFile& file, const std::string& name, const net::NetShape& shape,
                const net::StepNoise& noise, const train::TrainingRows& rows, const float* weights) {
  const net::NetLayout layout(shape);
  std::vector<rows::RowNumber> batch(rows.size());
  std::iota(batch.begin(), batch.end(), 0u);
  ThreadPool pool;
  const engine::TrainTask task = task_of(shape, noise, batch.size(), rows);
  engine::TrainStep step(task, layout, pool);
  file.metadata[name + ".loss"] = fmt::format("{:.9g}", step.gradient(batch, 0, weights));
  std::vector<float> gradient(layout.size);
  for (const float* shard : step.shards())
    for (std::size_t i = 0; i < layout.size; ++i) gradient[i] += shard[i];
  add_network(file, name + ".gradient.", layout, gradient.data());
}

/// A step where every draw has noise of its own, and what comes out with each activation.
void add_step(model::StoredFile& file, const std::string& prefix, net::NetShape shape,
              const net::StepNoise& noise, std::size_t batch) {
  const net::NetLayout layout(shape);
  const train::TrainingRows rows = training_rows(shape, batch);
  std::vector<float> points(batch * noise.draws);
  for (std::uint32_t row = 0; row < batch; ++row) {
    Stream random(1, Purpose::kNoise, 0, 0, row);  // as the step draws it
    net::choose_points(noise, 1, random, std::span(points).subspan(row * noise.draws, noise.draws));
  }
  const Buffer<float> weights = net::initial_weights(shape, layout, {.init_sd = 0}, 1, 0);
  file.tensors.push_back(stored(prefix + "x", batch, kFeatures, rows.inputs.numbers.data(), kFeatures));
  file.tensors.push_back(stored(prefix + "y", batch, 1, rows.targets.data(), 1));
  file.tensors.push_back(stored(prefix + "noise", batch, noise.draws, points.data(), noise.draws));
  add_network(file, prefix, layout, weights.data());
  for (const auto& [name, act] : {std::pair{"relu", kernels::Act::kRelu}, {"tanh", kernels::Act::kTanh}}) {
    shape.act = act;
    add_result(file, prefix + name, shape, noise, rows, weights.data());
  }
}

}  // namespace

void write_step(const std::string& path) {
  net::StepNoise noise = default_noise();
  noise.grid = 0;
  model::StoredFile file;
  add_step(file, "", paper_shape(kernels::Act::kRelu), kPaperNoise, kPaperBatch);
  add_step(file, "default.", default_shape(kernels::Act::kRelu), noise, kDefaultBatch);
  std::ofstream out(path, std::ios::binary);
  model::write_safetensors(file, out);
}

}  // namespace mirrorball::bench
