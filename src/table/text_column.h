#pragma once

#include <string>

#include "table/column.h"

namespace mirrorball::table {

/// A column of texts that nobody declared, as a CSV file with these cells gives it: dates where every text is
/// an ISO date or stands for a missing value, numbers without a value where all are missing, else categories.
/// Unlike in a file, texts of numbers stay categories: who has numbers in a frame has a column of numbers.
Column text_column(std::string name, CategoryColumn texts);

}  // namespace mirrorball::table
