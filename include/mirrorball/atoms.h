#pragma once

#include <span>
#include <vector>

namespace mirrorball {

/// A value of a target that has a probability of its own, like the 0 of rain: training targets in its cell,
/// and their share. The cell reaches half way to the next training values; at the end of the range it is
/// symmetric.
struct Atom {
  double value, low, high;
  double share;
};

/// The atoms of a target, by its training values. There are some where one value is shared by a sixth of
/// them: what is only rounded repeats less. Then every value is an atom that 1% of them share, and at
/// least 3.
class Atoms {
 public:
  Atoms() = default;
  /// From training values, or their quantiles at equal steps of probability; in ascending order.
  explicit Atoms(std::span<const double> sorted);

  bool empty() const { return all_.empty(); }
  const std::vector<Atom>& all() const { return all_; }  ///< in ascending order
  /// The one whose cell has y; null where there is none.
  const Atom* find(double y) const;
  double rest() const { return rest_; }    ///< share of the other values, and of one that never came
  double range() const { return range_; }  ///< from the least to the greatest training value

 private:
  std::vector<Atom> all_;
  double rest_ = 1, range_ = 0;
};

}  // namespace mirrorball
