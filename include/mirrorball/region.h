#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball {

/// A region of target values, given by comparisons. Made from text such as
///
///   y2 > 0.2      y2 > 0.2 and y1 <= 3      0.1 < y1 <= 0.3 && y1 != y2      "SO2 (ppm)" >= 5
///   not (y1 < 0 or y1 > 3) and y2 > 0.2
///
/// "not" (or !) binds closest, then "and" (&&), then "or" (||); brackets group. Either side of <, <=, >, >=,
/// == (or =) and != is a target or a number. Names with spaces or signs in them stand in double or single
/// quotes or backticks, a quote inside doubled; so does a name that reads as a number.
class Region {
 public:
  /// Everything.
  Region() = default;

  /// Throws std::invalid_argument with the place in the text and the names of the targets.
  static Region parse(std::string_view text, std::span<const std::string> targets);

  /// Whether a point with one value per target lies inside. NaN makes every comparison false but !=.
  bool contains(std::span<const double> values) const;

  /// The target that all comparisons are about; none for several targets, or for everything.
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
    bool holds(std::span<const double> values) const;
  };
  struct Node {
    enum class Kind { kCompare, kAnd, kOr, kNot } kind;
    std::size_t left, right;  ///< nodes; of a comparison, its number
  };

  bool holds(std::size_t node, std::span<const double> values) const;

  std::string text_;
  std::size_t targets_ = 0;
  std::vector<Comparison> comparisons_;
  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace mirrorball
