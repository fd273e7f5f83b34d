#pragma once

#include "model/safetensors.h"
#include "neighbours/neighbours.h"

namespace mirrorball::model {

/// Neighbours as tensors of the model file, and back. Nothing without any.
void store_neighbours(const neighbours::Neighbours& neighbours, std::vector<StoredTensor>& tensors);
neighbours::Neighbours load_neighbours(const StoredFile& file, std::size_t numbers, std::size_t learned_rows,
                                       std::size_t targets);

}  // namespace mirrorball::model
