#pragma once

#include <string>
#include <vector>

#include "report/findings.h"

namespace mirrorball {

/// Something the reader should know before trusting the numbers.
struct Warning {
  enum class Weight { kNote, kWarn, kBad };
  Weight weight = Weight::kNote;
  std::string text;
};

/// The gravest first.
std::vector<Warning> warnings(const Findings& found);

/// How good the model is and where it is not, in a few plain sentences; the first are about the targets.
std::vector<std::string> summary(const Findings& found);

/// Whether the 90% intervals of a target cover as many outcomes as they say; kExact: they do without any
/// width.
enum class Promise { kKept, kTooNarrow, kTooWide, kExact };
Promise promise(const Findings& found, std::size_t target);

}  // namespace mirrorball
