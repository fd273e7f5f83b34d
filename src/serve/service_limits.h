#pragma once

#include <chrono>
#include <cstddef>

namespace mirrorball::serve {

/// What one request may ask for, and how many of them there may be.
struct ServiceLimits {
  std::size_t rows = 10'000;             ///< of a JSON request
  std::size_t csv_rows = 200'000;        ///< of an uploaded table
  std::size_t csv_draws = 120'000'000;   ///< rows x draws x targets of an uploaded table
  std::size_t samples = 100'000;         ///< draws of a row
  std::size_t draws = 10'000'000;        ///< rows x draws x targets of a request
  std::size_t answer = 2'000'000;        ///< numbers of an answer
  std::size_t explained = 50'000'000;    ///< draws behind an explanation
  std::size_t levels = 1000;             ///< quantiles of a row, values along a feature, functions
  std::size_t background_rows = 10'000;  ///< of an explanation
  std::size_t coalitions = 1'000'000;    ///< of an explanation, with each background row

  // Requests that wait for a thread, and for all threads; longer ones and more of them get a 503.
  std::size_t waiting = 64, heavy_waiting = 8;
  std::chrono::milliseconds patience{10'000}, heavy_patience{60'000};
};

}  // namespace mirrorball::serve
