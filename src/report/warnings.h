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
};

/// The gravest first.
std::vector<Warning> warnings(const Findings& found);

}  // namespace mirrorball::report
