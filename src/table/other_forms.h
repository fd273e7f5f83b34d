#pragma once

#include <string_view>

namespace mirrorball::table {

/// Whether a text is a number in a form that is not read as one: $1,234.50, 12 %, 1.234,50, 3 000.
bool number_in_another_form(std::string_view text);

/// Whether a text is a date in a form that is not read as one: 29.02.2024, 2/29/24 1:30 PM, 29 Feb 2024.
bool date_in_another_form(std::string_view text);

}  // namespace mirrorball::table
