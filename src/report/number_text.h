#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mirrorball/schema.h"

namespace mirrorball::report {

// Numbers in the report's sentences, as a person would write them. web/src/shared/format.ts has the same for
// the page.

/// "1 row", "2,064 rows".
std::string counted(std::size_t count, const std::string& one, const std::string& many);
inline std::string counted_rows(std::size_t count) { return counted(count, "row", "rows"); }

/// "a, b and c"; of many names the first few.
std::string listed(const std::vector<std::string>& names);

/// A gain or a loss as a share of what it is compared with: "81%"; "4.2%" where it is small.
std::string percent_change(double share);

/// A share of 1: "31%", "0.4%", "less than 0.1%"; "90.4%" near the ends; "−104%" below 0.
std::string percent(double share);

/// With one decimal, as shares beside what is expected need it: "90.0%".
std::string percent_with_decimal(double share);

/// With the sign that the pages have.
std::string with_minus(std::string digits);

/// Three or four significant digits: "0.254", "56,640", "1.2e-07"; "2004" among years, "2,004" on a wide
/// range.
std::string plain(double value, double range = 0);

/// A number of a range, with decimals for three digits of it: 0.280 beside 0.204.
std::string on_range(double value, double range);

/// An estimate, large ones with zeros for the digits beyond that: 96,400 on a range of 80,000.
std::string estimate(double value, double range);

/// An error of a target: plain, or where targets are large the estimate that it is.
std::string error_text(const ColumnSchema& target, double value);

/// What the errors of a target range over: a tenth of its training values.
double error_range(const ColumnSchema& target);

/// A value of a number feature: plain, among the training values and others on this range; or a date.
std::string value_of(const ColumnSchema& feature, double value, double range = 0);

/// "12 to 47"; numbers that are not whole have equal decimals.
std::string range_of(const ColumnSchema& feature, double low, double high);

}  // namespace mirrorball::report
