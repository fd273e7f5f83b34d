#pragma once

#include "model/safetensors.h"
#include "net/shape.h"

namespace mirrorball::model {

/// The parameters of networks as tensors of the model file, and back.
void store_weights(std::size_t network, const net::NetLayout& layout, const Buffer<float>& weights,
                   std::vector<StoredTensor>& tensors);
Buffer<float> load_weights(const StoredFile& file, std::size_t network, const net::NetLayout& layout);

}  // namespace mirrorball::model
