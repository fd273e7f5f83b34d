#pragma once

#include <string>
#include <vector>

#include "report/findings.h"

namespace mirrorball::report {

/// Something the reader should know before trusting the numbers.
struct Warning {
  enum class Weight { kNote, kWarn, kBad };
  Weight weight = Weight::kNote;
  std::string text;
  bool in_summary = false;  ///< the summary has these words too
};

/// Whether 90% intervals of so many rows that are practically one number cover less than they should, beyond
/// what chance may leave out.
bool covers_too_few(std::size_t rows, double coverage);

/// The gravest first.
std::vector<Warning> warnings(const Findings& found);

}  // namespace mirrorball::report
