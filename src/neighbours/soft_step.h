#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
#include "kernels/near.h"
#include "neighbours/metric.h"
#include "rows/encoded_rows.h"

namespace mirrorball::neighbours {

/// What a metric is learned from: rows with targets in transformed units, all by the row's number.
struct MetricData {
  const rows::EncodedRows& rows;
  std::span<const float> targets;  ///< so many of each row, one row after the other
  std::size_t per_row;
  std::span<const float> weights;
  std::span<const std::uint32_t> groups;  ///< none, or of every row: a row's own group is no neighbour
  std::size_t learned_rows;               ///< that codes count
};

/// The loss of a metric on some rows, and its gradient. Every one of the first rows, the queries, is forecast
/// by the targets of all others: row c has the probability
///
///   p_c = w_c exp(-|z - z_c|^2) / sum
///
/// and the loss is the mean CRPS of the queries by weight, summed over the targets,
///
///   L = sum_c p_c |y - y_c| - 1/2 sum_cc' p_c p_c' |y_c - y_c'|
///
/// (Goldberger et al. 2004 do the same for classes). With g_c = |y - y_c| - sum_c' p_c' |y_c - y_c'| and D_c
/// the squared distance,
///
///   dL/dD_c = -p_c (g_c - sum p g),   dL/dz = 2 sum_c dL/dD_c (z - z_c),   dL/dz_c = 2 sum dL/dD_c (z_c - z)
class SoftStep {
 public:
  SoftStep(const MetricData& data, std::size_t rows, std::size_t queries);

  /// Parameters of a metric as they are learned: those of its numbers, then those of its codes.
  static std::size_t parameters(const MetricData& data);

  /// The loss for the rows `which`; the gradient, which has the parameters' size, is overwritten.
  double operator()(std::span<const float> parameters, std::span<const std::uint32_t> which,
                    std::span<float> gradient, ThreadPool& pool);

 private:
  static constexpr std::size_t kPlaceTask = 256, kQueryTask = 8;
  /// Queries whose slopes are summed before they are added to those of the others.
  static constexpr std::size_t kSummed = 16;

  using Near = kernels::NearRow;  ///< a row that forecasts a query; its slope is g, then dL/dD
  /// Of one task of queries.
  struct Part {
    std::vector<float> apart;        ///< |z_c|^2 - 2 z z_c of each query and all rows
    std::vector<float> block_least;  ///< of one query, the least of each block of rows
    std::vector<std::uint32_t>
        found;  ///< rows near one query, and their squared distances beyond the nearest
    std::vector<float> beyond;
    double loss = 0;
  };

  void sort(std::span<const std::uint32_t> which);
  void sort_keys();
  void place(std::size_t task, std::span<const float> parameters);
  void forecast(std::size_t task);
  std::size_t find_near(std::uint32_t query, Part& part, std::span<float> apart) const;
  double forecast_one(std::size_t query, std::size_t found, const Part& part);
  double crps(std::uint32_t query, std::size_t target, std::span<Near> rows) const;
  void collect(std::size_t task);
  void add_slopes_of(std::size_t query, std::size_t begin, std::size_t end, float* slopes) const;
  void add_codes(std::size_t column, std::span<float> gradient) const;

  const MetricData data_;
  std::size_t rows_, queries_, tasks_;  ///< tasks of queries
  // The rows of a step, ascending by the first target:
  std::vector<std::uint64_t> keys_, sorted_;      ///< to sort by
  std::vector<std::uint32_t> row_;                ///< of the data
  std::vector<std::uint32_t> query_;              ///< where each query is
  std::vector<std::vector<float>> values_;        ///< of each target
  std::vector<std::vector<std::uint32_t>> rank_;  ///< by each further target
  std::vector<float> weights_, query_weights_;
  std::vector<std::uint32_t> groups_;
  std::vector<float> numbers_;
  std::vector<float> places_, across_;  ///< z row by row, and -2 z one coordinate after the other
  std::vector<float> query_places_;
  std::vector<float> norms_;  ///< |z|^2
  std::vector<Part> parts_;
  std::vector<std::vector<Near>> near_;    ///< of each query, by the last target
  std::vector<std::vector<Near>> by_row_;  ///< the same by their rows, where there are several targets
  std::vector<float> slope_;               ///< dL/dz of all rows
  std::vector<std::vector<float>> number_gradient_;  ///< of each task of rows
  kernels::Gemm apart_;
};

}  // namespace mirrorball::neighbours
