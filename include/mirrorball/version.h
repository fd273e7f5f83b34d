#pragma once

/// The one place that states the version; CMake and `mirrorball --version` read it here.
#define MIRRORBALL_VERSION "0.2.0"
