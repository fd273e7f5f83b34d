#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mirrorball::shap {

/// All sets are asked for up to this many players.
constexpr std::size_t kExactPlayers = 12;

/// Sets of players whose values decide the Shapley values.
struct Coalitions {
  std::size_t players = 0;
  bool exact = true;  ///< all of them, number m having player i where bit i of m is set
  std::vector<std::uint8_t>
      member;                  ///< sets x players, 0 or 1; the first set is empty, the last has everybody
  std::vector<double> weight;  ///< in the regression, one per set; none where `exact`

  std::size_t size() const { return players == 0 ? 1 : member.size() / players; }
  std::span<const std::uint8_t> operator[](std::size_t set) const {
    return std::span(member).subspan(set * players, players);
  }
};

/// All sets, where players <= kExactPlayers or 2^players <= most; otherwise `most` of them, in pairs of a set
/// and its complement, at least 2 players + 2.
Coalitions choose_coalitions(std::size_t players, std::size_t most, std::uint64_t seed);

/// Shapley values from one value per set. They sum to worth.back() - worth.front(), to rounding.
std::vector<double> shapley_values(const Coalitions& coalitions, std::span<const double> worth);

}  // namespace mirrorball::shap
