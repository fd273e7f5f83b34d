#pragma once

#include "neighbours/metric.h"

namespace mirrorball::neighbours {

/// What the rows near a row make of its forecast.
struct Way {
  double sharpness = 1;  ///< a neighbour at squared distance D weighs exp(-sharpness D)
  bool errors = false;   ///< their errors around the mean of the row's own forecast, not their targets
  /// Of each target, the standard deviation of the normal noise on every draw: few neighbours are few values,
  /// but targets between them are as likely. None: no noise.
  std::vector<double> noise;

  bool operator==(const Way&) const = default;
};

/// Training rows whose targets are the forecast of the rows near them, in a learned metric. Of several
/// targets a neighbour gives all together.
struct Neighbours {
  static constexpr std::size_t kNearest = 128;  ///< rows that make a forecast, at most
  static constexpr std::int32_t kNobody = -1;

  struct Near {
    float distance;  ///< squared
    std::int32_t row;
  };
  /// What a thread needs; grows to its size by itself.
  struct Scratch {
    struct Draw {
      float value, weight;  ///< value: of the first target
      std::int32_t row;
    };
    std::vector<float> distances, block_least;
    std::vector<Near> near;
    std::vector<Draw> draws;
    std::vector<float> normal;  ///< numbers for the noise of so many draws of so many targets
    std::size_t normal_targets = 0;
  };

  Metric metric;
  std::vector<float> places;   ///< of all rows, one coordinate after the other
  std::vector<float> values;   ///< targets in transformed units, so many of each row, or their errors
  std::vector<float> weights;  ///< of each row; none where they are all alike
  std::size_t targets = 1;
  Way way;

  bool operator==(const Neighbours&) const = default;

  bool empty() const { return places.empty(); }
  std::size_t rows() const { return places.size() / kDims; }

  /// The rows nearest to a place, the nearest first; without row `without`.
  std::span<const Near> nearest(std::span<const float, kDims> z, std::int32_t without,
                                Scratch& scratch) const;

  /// Writes the quantiles of these rows at levels (k + 1/2) / K, k = 0 .. K - 1, of the targets; errors are
  /// added to `means`, one per target. Then noise is added, the same for all rows. Of several targets: what
  /// the rows at these quantiles of the first one have, K numbers for one target after the other.
  void quantiles(std::span<const Near> near, std::span<const float> means, std::span<float> out,
                 Scratch& scratch) const;

  /// The same for a row of a table.
  void quantiles(std::span<const float> numbers, std::span<const std::int32_t> codes,
                 std::span<const float> means, std::span<float> out, Scratch& scratch) const;

  /// Throws unless any row with so many numbers, and codes of so many learned rows, has quantiles: for arrays
  /// that come from a file.
  void check(std::size_t numbers, std::size_t learned_rows) const;

 private:
  void add_noise(std::span<float> draws, Scratch& scratch) const;
};

}  // namespace mirrorball::neighbours
