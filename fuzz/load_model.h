#pragma once

#include <string_view>

namespace mirrorball::fuzz {

/// Loads the bytes of a model file. One that loads predicts numbers, describes itself, and is the same when
/// it is stored and loaded again.
void load_model(std::string_view bytes);

}  // namespace mirrorball::fuzz
