#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "mirrorball/predictive.h"

namespace mirrorball::report {

struct ReportOptions {
  std::string title;                  ///< empty makes one of the names
  std::string model_name, data_name;  ///< as the reader knows them
  std::string other_name;             ///< of the model to compare with
  std::string id;  ///< rows go by this column, the first that ReadOptions::keep has; empty: by their number
  std::size_t rows = 20000;     ///< looked at, at most; more are sampled down. Drift is of all rows
  std::size_t explained = 100;  ///< rows whose Shapley values tell what drives forecasts; 0 leaves that out
  std::size_t samples = kSummarySamples;  ///< samples per row
  bool brief = false;                     ///< only what a comparison of two models shows
  std::size_t width = 0;  ///< of the terminal that the comparison is for; 0 where there is none
  std::uint64_t seed = 0;
  unsigned threads = 0;
  /// Gets the share of the work that is done and what is under way, on the calling thread.
  std::function<void(double share, const char* doing)> progress;
};

}  // namespace mirrorball::report
