#pragma once

#include <span>

#include "encode/encoder.h"
#include "mirrorball/schema.h"

namespace mirrorball::model {

/// What a fitted encoder and the targets' transforms say about the columns.
Schema schema_of(const encode::Encoder& encoder, std::span<const std::string> targets,
                 std::span<const encode::NumberTransform> transforms);

}  // namespace mirrorball::model
