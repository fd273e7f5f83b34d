#pragma once

#include <nlohmann/json.hpp>

#include "encode/encoder.h"
#include "model/safetensors.h"

namespace mirrorball::model {

/// Features and transforms as the model file has them: entries of its description, and tensors of the knots.
nlohmann::ordered_json features_json(const std::vector<encode::Feature>& features);
encode::Encoder load_encoder(const StoredFile& file, const nlohmann::ordered_json& features);

std::string transform_name(Transform kind);
/// Of the feature or target (`of`) number i.
StoredTensor store_knots(const char* of, std::size_t i, const encode::NumberTransform& transform);
encode::NumberTransform load_transform(const StoredFile& file, const char* of, std::size_t i,
                                       const std::string& kind);

}  // namespace mirrorball::model
