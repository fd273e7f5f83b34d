#pragma once

#include <string>

namespace mirrorball {

/// A new file in a folder, for reading and writing, that has no name: it is gone when it is closed, however
/// the process ends. Throws where the folder does not take one; `what` says what it is for.
int open_unnamed(const std::string& folder, const char* what);

}  // namespace mirrorball
