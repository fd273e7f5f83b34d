#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace mirrorball::cli {

/// A number and its standard error.
struct Uncertain {
  double value = 0, error = 0;
};

/// The contributions of one row as columns of text. A number has as many decimals as its error allows; points
/// stand below each other.
class ContributionText {
 public:
  /// `levels` are what contributions lead from and to, such as the base.
  ContributionText(const std::vector<Uncertain>& contributions, const std::vector<double>& levels);

  /// All have one width.
  std::string heading() const { return field("contribution", ""); }
  /// "+0.028 ± 0.003"; without an error where all are 0.
  std::string contribution(const Uncertain& one) const;
  /// As precise as the most precise of the contributions.
  std::string level(double value) const { return field(level_text(value), ""); }

  /// To the right of the axis where it is positive, to the left where it is negative: solid as far as two
  /// standard errors leave no doubt, shaded over their range.
  std::string bar(const Uncertain& one) const;

 private:
  int decimals(double error) const;
  std::string contribution_text(const Uncertain& one) const;
  std::string level_text(double value) const;
  void make_room(const std::string& number);
  std::string field(const std::string& number, const std::string& error) const;

  double largest_ = 0;  ///< |value|
  double reach_ = 0;    ///< |value| and two errors: the end of the longest bar
  bool any_error_ = false;
  int most_decimals_ = 0;
  std::size_t before_ = 0, after_ = 0;  ///< characters before the point, and from it on
  std::size_t error_width_ = 0;
};

}  // namespace mirrorball::cli
