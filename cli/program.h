#pragma once

namespace mirrorball::cli {

/// The whole program, as `main` is called and returns.
int program(int argc, char** argv);

}  // namespace mirrorball::cli
