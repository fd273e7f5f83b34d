#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball {

/// A part of the space of targets: all of some comparisons hold. Made from text such as
///
///   y2 > 0.2      y2 > 0.2 and y1 <= 3      0.1 < y1 <= 0.3 && y1 != y2      "SO2 (ppm)" >= 5
///
/// Either side of <, <=, >, >=, == (or =) and != is a target or a number. Names with spaces or signs in them
/// stand in double or single quotes or backticks, a quote inside doubled; so does a name that reads as a
/// number.
class Region {
 public:
  /// Everything.
  Region() = default;

  /// Throws std::invalid_argument that tells the place in the text, and the targets there are.
  static Region parse(std::string_view text, std::span<const std::string> targets);

  /// Whether a point with one value per target lies inside. NaN lies in no comparison but !=.
  bool contains(std::span<const double> values) const;

  /// The one target that it is about; none where it is about several, or everything.
  std::optional<std::size_t> only_target() const;

  bool everything() const { return comparisons_.empty(); }
  /// As it was given; empty for everything.
  const std::string& text() const { return text_; }

 private:
  friend class RegionParser;
  enum class Relation { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };
  struct Operand {
    bool is_target = false;
    std::size_t target = 0;
    double number = 0;
    double in(std::span<const double> values) const { return is_target ? values[target] : number; }
  };
  struct Comparison {
    Operand left;
    Relation relation;
    Operand right;
  };

  std::string text_;
  std::size_t targets_ = 0;
  std::vector<Comparison> comparisons_;
};

}  // namespace mirrorball
