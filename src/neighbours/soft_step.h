#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"
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
  static constexpr std::size_t kPlaceTask = 256, kQueryTask = 16;

  /// A row that forecasts a query.
  struct Near {
    std::uint32_t row;
    float probability;  ///< at first its squared distance beyond the nearest row
    float slope;        ///< g, then dL/dD
  };
  /// Of one task of queries.
  struct Part {
    std::vector<float> apart;                   ///< -2 z z', then dL/dD: of each query, of all rows
    std::vector<float> query_slope, row_slope;  ///< dL/dz of the queries, dL/dz_c of all rows
    std::vector<float> row_sums;                ///< of dL/dD over the queries
    std::vector<Near> near;                     ///< of one query
    double loss = 0;
  };

  void place(std::size_t task, std::span<const float> parameters, std::span<const std::uint32_t> which);
  void sort_by(std::size_t target, std::span<const std::uint32_t> which);
  void forecast(std::size_t task, std::span<const std::uint32_t> which);
  void find_near(std::size_t query, std::span<const std::uint32_t> which, Part& part, float* apart) const;
  double forecast_one(std::size_t query, std::span<const std::uint32_t> which, Part& part);
  double crps(std::size_t query, std::span<const std::uint32_t> which, std::size_t target,
              std::span<Near> rows) const;
  void collect(std::size_t task);

  const MetricData data_;
  std::size_t rows_, queries_, tasks_;  ///< tasks of queries
  std::vector<float> numbers_;          ///< of the rows, gathered
  std::vector<float> places_, across_;  ///< z row by row, and one coordinate after the other
  std::vector<float> norms_;            ///< |z|^2
  std::vector<std::uint64_t> sorted_;   ///< keys of one target
  std::vector<std::vector<std::uint32_t>> order_, rank_;  ///< of each target: the rows by its value, and back
  std::vector<float> query_weights_;
  std::vector<Part> parts_;
  std::vector<float> place_slope_;                   ///< dL/dz of all rows
  std::vector<std::vector<float>> number_gradient_;  ///< of each task of rows
  kernels::Gemm apart_, query_back_, row_back_;
};

}  // namespace mirrorball::neighbours
