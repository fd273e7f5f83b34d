#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace mirrorball::cli {

/// Words for a progress bar over rows: "1,200,000 rows, 41,000 rows/s", with the rate once it means
/// something.
class RowRate {
 public:
  std::string operator()(std::size_t rows) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mirrorball::cli
