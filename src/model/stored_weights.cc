#include "model/stored_weights.h"

#include <fmt/format.h>

#include "base/error.h"

namespace mirrorball::model {
namespace {

StoredTensor stored(std::string name, const net::Tensor& tensor, const Buffer<float>& weights) {
  std::vector<float> values;
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    const float* first = tensor.in(weights.data()) + row * tensor.stride;
    values.insert(values.end(), first, first + tensor.cols);
  }
  return store<float>(std::move(name), "F32", {tensor.rows, tensor.cols}, values);
}

std::string weights_name(std::size_t network, const net::Tensor& tensor) {
  return fmt::format("network.{}.{}", network, tensor.name);
}

/// The stored tensor of one parameter, its shape checked against what the options make of it.
const StoredTensor& checked_tensor(const StoredFile& file, std::size_t network, const net::Tensor& tensor) {
  const std::string name = weights_name(network, tensor);
  const std::string old_name = fmt::format("member.{}.{}", network, tensor.name);  // in version 0.1
  const StoredTensor& stored = file.tensor(file.has(old_name) ? old_name : name, "F32");
  if (stored.shape != std::vector<std::size_t>{tensor.rows, tensor.cols})
    bad_input("tensor {} has the shape {}, but the model's options need {} x {}", stored.name,
              fmt::to_string(fmt::join(stored.shape, " x ")), tensor.rows, tensor.cols);
  return stored;
}

}  // namespace

void store_weights(std::size_t network, const net::NetLayout& layout, const Buffer<float>& weights,
                   std::vector<StoredTensor>& tensors) {
  for (const net::Tensor* tensor : layout.tensors())
    tensors.push_back(stored(weights_name(network, *tensor), *tensor, weights));
}

Buffer<float> load_weights(const StoredFile& file, std::size_t network, const net::NetLayout& layout) {
  std::vector<const StoredTensor*> stored;  // all checked before anything is allocated
  for (const net::Tensor* tensor : layout.tensors())
    stored.push_back(&checked_tensor(file, network, *tensor));
  Buffer<float> weights(layout.size);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const net::Tensor& tensor = *layout.tensors()[i];
    for (std::size_t row = 0; row < tensor.rows; ++row)
      std::memcpy(tensor.in(weights.data()) + row * tensor.stride,
                  stored[i]->bytes.data() + row * tensor.cols * sizeof(float), tensor.cols * sizeof(float));
  }
  return weights;
}

}  // namespace mirrorball::model
