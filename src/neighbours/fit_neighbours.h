#pragma once

#include <functional>

#include "neighbours/fit_metric.h"
#include "neighbours/neighbours.h"

namespace mirrorball::neighbours {

/// Neighbours with what it takes to choose their way on held-out rows: targets and errors of each.
struct FittedNeighbours {
  Neighbours neighbours;            ///< by their targets
  std::vector<std::uint32_t> rows;  ///< of the table, ascending
  std::vector<float> errors;        ///< like the values; none where there is no mean to err from

  /// The neighbours that forecast in this way.
  Neighbours in_way(const Way& way) const;

  /// Neighbours of a row of the table, without itself.
  std::span<const Neighbours::Near> nearest(const rows::EncodedRows& all, std::size_t row,
                                            Neighbours::Scratch& scratch) const;
};

/// A forecast of the mean of a row's target by what has not seen the row.
using HeldOutMean = std::function<double(std::uint32_t row, std::size_t target)>;

/// Keeps those of the rows `keep`, which are ascending, that have a weight above 0. Without a mean, which is
/// asked from several threads, there are no errors.
FittedNeighbours keep_neighbours(const MetricData& data, Metric metric, std::span<const std::uint32_t> keep,
                                 const HeldOutMean& mean, ThreadPool& pool);

}  // namespace mirrorball::neighbours
