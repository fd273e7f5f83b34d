#include "serve/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace mirrorball::serve {
namespace {

/// Memory that is in use, in bytes; 0 where the system does not report it.
std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void Metrics::answered(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(lock_);
  Times& times = routes_[route];
  ++times.buckets[static_cast<std::size_t>(std::lower_bound(kBounds.begin(), kBounds.end(), seconds) -
                                           kBounds.begin())];
  times.sum += seconds;
  ++times.statuses[status];
}

std::string Metrics::text(std::size_t refused) const {
  std::string text;
  const auto title = [&](const char* name, const char* type, const char* help) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  };
  const auto single = [&](const char* name, const char* type, const char* help, double value) {
    title(name, type, help);
    text += fmt::format("{} {}\n", name, value);
  };
  const std::lock_guard lock(lock_);
  title("mirrorball_requests_total", "counter", "Requests answered.");
  for (const auto& [route, times] : routes_)
    for (const auto& [status, count] : times.statuses)
      text +=
          fmt::format("mirrorball_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", route, status, count);
  title("mirrorball_request_seconds", "histogram", "Time from the headers of a request to its response.");
  for (const auto& [route, times] : routes_) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i)
      text += fmt::format("mirrorball_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                          kBounds[i], below += times.buckets[i]);
    below += times.buckets.back();
    text += fmt::format(
        "mirrorball_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "mirrorball_request_seconds_sum{{route=\"{0}\"}} {2}\n"
        "mirrorball_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, below, times.sum);
  }
  single("mirrorball_rows_total", "counter", "Rows predicted.", static_cast<double>(rows_));
  single("mirrorball_draws_total", "counter", "Samples drawn.", static_cast<double>(draws_));
  single("mirrorball_refused_connections_total", "counter", "Connections refused because too many were open.",
         static_cast<double>(refused));
  single("process_resident_memory_bytes", "gauge", "Memory in use.", static_cast<double>(resident_bytes()));
  single("mirrorball_uptime_seconds", "gauge", "Time since the start.",
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  return text;
}

}  // namespace mirrorball::serve
