#pragma once

#include "boost/boosted_trees.h"
#include "encode/encoder.h"
#include "forest/forest.h"
#include "model/safetensors.h"

namespace mirrorball::model {

// Trees as tensors of the model file, and back. Nothing without any.

void store_forest(const forest::Forest& forest, std::vector<StoredTensor>& tensors);
forest::Forest load_forest(const StoredFile& file, const encode::Encoder& encoder, std::size_t targets);

/// The boosted trees of one target.
void store_boosted(std::size_t target, const boost::BoostedTrees& trees, std::vector<StoredTensor>& tensors);
boost::BoostedTrees load_boosted(const StoredFile& file, std::size_t target, const encode::Encoder& encoder);

}  // namespace mirrorball::model
