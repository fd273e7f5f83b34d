#pragma once

#include <span>

#include "encode/encoder.h"
#include "mirrorball/schema.h"

namespace mirrorball {

/// What a fitted encoder and the targets' transforms say about the columns.
Schema schema_of(const Encoder& encoder, std::span<const std::string> targets,
                 std::span<const NumberTransform> transforms);

}  // namespace mirrorball
