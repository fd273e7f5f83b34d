#include "mirrorball/region.h"

#include "base/error.h"

namespace mirrorball {

std::optional<std::size_t> Region::only_target() const {
  std::optional<std::size_t> only;
  for (const Comparison& comparison : comparisons_)
    for (const Operand& operand : {comparison.left, comparison.right}) {
      if (!operand.is_target) continue;
      if (only && *only != operand.target) return {};
      only = operand.target;
    }
  return only;
}

bool Region::Comparison::holds(std::span<const double> values) const {
  const double a = left.in(values), b = right.in(values);
  switch (relation) {
    case Relation::kLess:
      return a < b;
    case Relation::kLessEqual:
      return a <= b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterEqual:
      return a >= b;
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return a != b;
  }
  return false;
}

/// To the right by a loop, since there may be any number of parts; to the left brackets are few.
bool Region::holds(std::size_t node, std::span<const double> values) const {
  for (;; node = nodes_[node].right) {
    const std::size_t left = nodes_[node].left;
    switch (nodes_[node].kind) {
      case Node::Kind::kCompare:
        return comparisons_[left].holds(values);
      case Node::Kind::kAnd:
        if (!holds(left, values)) return false;
        break;
      case Node::Kind::kOr:
        if (holds(left, values)) return true;
        break;
      case Node::Kind::kNot:
        return !holds(left, values);
    }
  }
}

bool Region::contains(std::span<const double> values) const {
  if (everything()) return true;
  if (values.size() != targets_)
    bad_input("the point has {} values, but the region has {} targets", values.size(), targets_);
  return holds(root_, values);
}

}  // namespace mirrorball
