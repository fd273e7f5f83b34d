#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "explain/composites.h"
#include "explain/cost.h"

namespace mirrorball::shap {

/// The way from one background row to x, feature by feature. A walk takes the features in some order; each
/// one's step is what it changes. A walk and the one in the reverse order make a pair: their errors partly
/// cancel.
class Walks {
 public:
  /// Numbers of the two ends, whose answers are known.
  static constexpr std::size_t kBackground = std::numeric_limits<std::size_t>::max(), kX = kBackground - 1;

  /// Numbers all rows to be evaluated. `wanted` has one entry per varying feature: a step of others need not
  /// be known. `order(pair)` gives a random order of so many players.
  Walks(Composites& composites, std::size_t b, const SetPlan& plan, std::span<const std::uint8_t> wanted,
        const std::function<std::vector<std::uint32_t>(std::size_t pair, std::size_t players)>& order);

  /// Which of the varying features take part; the others contribute nothing.
  std::span<const std::uint32_t> players() const { return players_; }

  /// Adds what the players contribute to `sum`, by varying feature, and the squares of what each pair says of
  /// them to `squares`. Of all sets there is one answer, without an error.
  void contributions(const std::function<double(std::size_t number)>& answer, std::span<double> sum,
                     std::span<double> squares) const;

  bool all_sets() const { return plan_.all; }
  std::size_t pairs() const { return plan_.pairs; }

 private:
  struct Step {
    std::uint32_t player;
    std::size_t before, after;  ///< numbers of rows
  };

  void take_all(Composites& composites, std::size_t b);
  void walk(Composites& composites, std::size_t b, std::span<const std::uint32_t> order,
            std::span<const std::uint8_t> wanted);

  SetPlan plan_;
  std::size_t varying_;
  std::vector<std::uint32_t> players_;
  std::vector<std::size_t> numbers_;  ///< of all sets
  std::vector<std::size_t> ends_;     ///< steps up to the end of each pair
  std::vector<Step> steps_;
};

}  // namespace mirrorball::shap
