#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mirrorball::table {

/// Seconds since 1970 of a date, or of a date and time, as ISO 8601 writes them: 2024-02-29,
/// 2024-02-29T13:30, 2024-02-29 13:30:05.25+01:00. Without an offset it is UTC. None for anything else,
/// 2023-02-29 included.
std::optional<double> seconds_since_1970(std::string_view text);

/// The way back, for a value of a column of dates that runs over `span` seconds: 2024-02-29, or with the time
/// where it is not midnight, to the minute or second. As exact as the 24 bits that a table keeps.
std::string instant_text(double seconds, double span);

/// Whether dates that run over so many seconds are told by the day.
bool told_by_the_day(double span);

}  // namespace mirrorball::table
