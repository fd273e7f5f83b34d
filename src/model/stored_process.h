#pragma once

#include "model/safetensors.h"
#include "process/process.h"

namespace mirrorball::model {

/// A Gaussian process as tensors of the model file, and back. Nothing without one.
void store_process(const process::GaussianProcess& process, std::vector<StoredTensor>& tensors);
process::GaussianProcess load_process(const StoredFile& file, std::size_t numbers, std::size_t codes);

}  // namespace mirrorball::model
