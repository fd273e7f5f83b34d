#pragma once

#include "forest/forest.h"
#include "model/safetensors.h"
#include "net/shape.h"

namespace mirrorball::model {

/// The parameters of networks and the trees as tensors of the model file, and back.
void store_weights(std::size_t network, const net::NetLayout& layout, const Buffer<float>& weights,
                   std::vector<StoredTensor>& tensors);
Buffer<float> load_weights(const StoredFile& file, std::size_t network, const net::NetLayout& layout);

/// Nothing without a forest.
void store_forest(const forest::Forest& forest, std::vector<StoredTensor>& tensors);
forest::Forest load_forest(const StoredFile& file, std::size_t features, std::size_t targets);

}  // namespace mirrorball::model
