#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mirrorball/explain.h"

namespace mirrorball::cli {

/// What the text says besides the numbers.
struct ExplanationWords {
  std::string background;          ///< file of the background rows
  std::vector<std::string> names;  ///< of the rows, as "key=17"; may be empty
  std::size_t top = 20;            ///< features listed for a row
  std::size_t width = 0;           ///< of the terminal, 0 where there is none
};

/// An explanation for people: a table with bars for every row.
std::string explanation_text(const Explanation& found, const ExplainOptions& options,
                             const ExplanationWords& words);

}  // namespace mirrorball::cli
