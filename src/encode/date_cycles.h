#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "mirrorball/plan.h"

namespace mirrorball::encode {

/// Where dates stand in the cycles of the calendar, in UTC: two numbers for each cycle,
///   sqrt(2) sin(2 pi u) and sqrt(2) cos(2 pi u),
/// with u the share of the cycle that is over. Both have a mean square of 1, and the end of a cycle lies next
/// to its beginning.
///
///   day    u = the time of day
///   week   u = weekday / 7, Monday 0: all hours of a day are the same
///   year   u = days since 1970 / 365.2425, its fraction
class DateCycles {
 public:
  static constexpr std::array kAll = {DateCycle::kDay, DateCycle::kWeek, DateCycle::kYear};
  static constexpr std::size_t kMostColumns = 2 * kAll.size();

  DateCycles() = default;
  /// Each at most once, in the order of `DateCycle`.
  explicit DateCycles(std::vector<DateCycle> cycles) : cycles_(std::move(cycles)) {}

  /// Those that the training values, seconds since 1970, go through often enough. At least one value.
  static DateCycles fit(std::span<const double> seconds);

  const std::vector<DateCycle>& cycles() const { return cycles_; }
  std::size_t columns() const { return 2 * cycles_.size(); }

  /// The numbers of a date; `out` has room for `columns()`.
  void write(double seconds, float* out) const;

 private:
  std::vector<DateCycle> cycles_;
};

}  // namespace mirrorball::encode
