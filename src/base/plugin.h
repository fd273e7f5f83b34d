#pragma once

#include <string>

namespace mirrorball {

/// The path of a library that is loaded while the program runs: beside the program, as in a build tree, in
/// the folder of its plugins, where `cmake --install` puts it, or beside the library that this code is in, as
/// in the Python package. Empty where there is none.
std::string plugin_path(const char* file);

}  // namespace mirrorball
