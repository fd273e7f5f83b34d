#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "table/blocks.h"

namespace mirrorball::table {

/// Doubles, to the bit: a row means the same whatever rows are around it. NaN is a missing value. They are
/// packed in groups: one whose values are floats, or whole numbers of one decimal step within 2^32 of each
/// other (times, prices, most of what is written with up to nine digits), takes 4 bytes per value, any other
/// takes 8.
class NumberColumn {
 public:
  static constexpr std::size_t kGroup = 1024;

  /// The values must be within the range of a float, so that a network can take them.
  void append(std::span<const double> values);
  void append_missing(std::size_t count);
  /// Ends the column: nothing is added after that, and nothing may be read before.
  void trim();
  /// Rows [begin, end) as a column that has ended.
  NumberColumn slice(std::size_t begin, std::size_t end) const;

  std::size_t size() const { return low_.size() + open_.size(); }
  std::size_t bytes() const { return 4 * (low_.size() + high_.size()); }  ///< of all values
  double operator[](std::size_t row) const;
  void copy(std::size_t begin, std::size_t end, double* out) const;
  void discard_before(std::size_t row);

 private:
  enum class Form : std::uint8_t { kFloat, kSteps, kDouble };
  struct Group {
    Form form = Form::kFloat;
    std::uint8_t decimals = 0;  ///< kSteps: value = (base + low) / 10^decimals
    double base = 0;            ///< kSteps
    std::size_t high = 0;       ///< kDouble: place of its first upper half
  };

  void close(std::span<const double> values);
  void store_floats(std::span<const double> values);
  bool store_steps(std::span<const double> values);
  void store_doubles(std::span<const double> values);

  std::vector<Group> groups_;
  Blocks<std::uint32_t> low_;   // a float, a step, or the lower half of a double
  Blocks<std::uint32_t> high_;  // upper halves of the doubles
  std::vector<double> open_;    // the last group while it grows
  std::uint8_t decimals_ = 0;   // of the last group that had steps
};

}  // namespace mirrorball::table
