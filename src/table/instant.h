#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mirrorball {

/// Seconds since 1970 of a date, or of a date and time, as ISO 8601 writes them: 2024-02-29,
/// 2024-02-29T13:30, 2024-02-29 13:30:05.25+01:00. Without an offset it is UTC. None for anything else,
/// 2023-02-29 included.
std::optional<double> seconds_since_1970(std::string_view text);

/// The way back, as fine as values that run over `span` seconds need it: 2024-02-29 where they run over
/// months, 2024-02-29 13:30 over days, else with seconds. A table keeps 24 bits, so a minute may be missing.
std::string instant_text(double seconds, double span);

}  // namespace mirrorball
