#pragma once

#include "boost/boosted_trees.h"
#include "encode/encoder.h"
#include "model/safetensors.h"

namespace mirrorball::model {

/// The boosted trees of one target as tensors of the model file, and back. Nothing without any.
void store_boosted(std::size_t target, const boost::BoostedTrees& trees, std::vector<StoredTensor>& tensors);
boost::BoostedTrees load_boosted(const StoredFile& file, std::size_t target, const encode::Encoder& encoder);

}  // namespace mirrorball::model
