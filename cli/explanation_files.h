#pragma once

#include <iosfwd>
#include <string>

#include "mirrorball/explain.h"

namespace mirrorball::cli {

/// An explanation for other programs, as one line. `table` has the rows: numbers of it are numbers.
std::string explanation_json(const Explanation& found, const ExplainOptions& options, const Table& table);

/// A line for every row and feature.
void write_explanation_csv(const Explanation& found, std::ostream& out, char separator);

}  // namespace mirrorball::cli
