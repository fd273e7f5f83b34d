#pragma once

#include <string>

namespace mirrorball::bench {

/// The file of this name in the folder that everything is built into, the one above this program's: it may
/// have been moved as a whole.
std::string built_file(const std::string& name);

}  // namespace mirrorball::bench
