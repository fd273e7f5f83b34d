#include "neighbours/soft_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/float_order.h"

namespace mirrorball::neighbours {
namespace {

/// exp(-x) of more is nothing beside the nearest row.
constexpr float kFar = 20;

std::size_t tasks_of(std::size_t count, std::size_t task) { return (count + task - 1) / task; }

float squared_norm(const float* z) {
  float sum = 0;
  for (std::size_t d = 0; d < kDims; ++d) sum += z[d] * z[d];
  return sum;
}

}  // namespace

SoftStep::SoftStep(const MetricData& data, std::size_t rows, std::size_t queries)
    : data_(data),
      rows_(rows),
      queries_(std::min(queries, rows) / kQueryTask * kQueryTask),
      tasks_(queries_ / kQueryTask),
      numbers_(rows * data.rows.number_columns),
      places_(rows * kDims),
      across_(rows * kDims),
      norms_(rows),
      order_(data.per_row),
      rank_(data.per_row),
      query_weights_(queries_),
      parts_(tasks_),
      place_slope_(rows * kDims),
      number_gradient_(tasks_of(rows, kPlaceTask)),
      apart_(kernels::Gemm::forward(kQueryTask, kDims, rows, kDims, rows, rows)),
      query_back_(kernels::Gemm::forward(kQueryTask, rows, kDims, rows, kDims, kDims)),
      row_back_(kernels::Gemm::weight_gradient(kQueryTask, rows, kDims, rows, kDims, kDims)) {
  for (Part& part : parts_) {
    part.apart.resize(kQueryTask * rows);
    part.query_slope.resize(kQueryTask * kDims);
    part.row_slope.resize(rows * kDims);
    part.row_sums.resize(rows);
  }
}

std::size_t SoftStep::parameters(const MetricData& data) {
  return (data.rows.number_columns + data.learned_rows) * kDims;
}

double SoftStep::operator()(std::span<const float> parameters, std::span<const std::uint32_t> which,
                            std::span<float> gradient, ThreadPool& pool) {
  const std::size_t place_tasks = number_gradient_.size(),
                    number_parameters = data_.rows.number_columns * kDims;
  pool.run(place_tasks, [&](std::size_t task, unsigned) { place(task, parameters, which); });
  for (std::size_t t = 0; t < data_.per_row; ++t) sort_by(t, which);
  float total = 0;
  for (std::size_t q = 0; q < queries_; ++q) total += query_weights_[q] = data_.weights[which[q]];
  for (float& weight : query_weights_) weight /= total;

  pool.run(tasks_, [&](std::size_t task, unsigned) { forecast(task, which); });
  pool.run(place_tasks, [&](std::size_t task, unsigned) { collect(task); });

  // In the order of the tasks, whatever the threads.
  std::ranges::fill(gradient, 0.0f);
  for (const std::vector<float>& part : number_gradient_)
    for (std::size_t i = 0; i < number_parameters; ++i) gradient[i] += part[i];
  const std::size_t codes = data_.rows.code_columns;
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t c = 0; c < codes; ++c) {
      const std::int32_t code = data_.rows.codes[which[i] * codes + c];
      if (code < 0) continue;
      float* to = gradient.data() + number_parameters + static_cast<std::size_t>(code) * kDims;
      for (std::size_t d = 0; d < kDims; ++d) to[d] += place_slope_[i * kDims + d];
    }
  double loss = 0;
  for (const Part& part : parts_) loss += part.loss;
  return loss;
}

void SoftStep::sort_by(std::size_t target, std::span<const std::uint32_t> which) {
  sorted_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i)
    sorted_[i] = sort_key(data_.targets[which[i] * data_.per_row + target], i);
  std::ranges::sort(sorted_);
  order_[target].resize(rows_);
  rank_[target].resize(rows_);
  for (std::uint32_t i = 0; i < rows_; ++i) {
    const std::size_t row = place_of(sorted_[i]);
    order_[target][i] = static_cast<std::uint32_t>(row);
    rank_[target][row] = i;
  }
}

void SoftStep::place(std::size_t task, std::span<const float> parameters,
                     std::span<const std::uint32_t> which) {
  const std::size_t begin = task * kPlaceTask, end = std::min(rows_, begin + kPlaceTask),
                    columns = data_.rows.number_columns, codes = data_.rows.code_columns;
  for (std::size_t i = begin; i < end; ++i)
    std::copy_n(data_.rows.numbers.data() + which[i] * columns, columns, numbers_.data() + i * columns);
  float* z = places_.data() + begin * kDims;
  if (columns > 0)
    kernels::Gemm::forward(end - begin, columns, kDims, columns, kDims, kDims)(
        numbers_.data() + begin * columns, parameters.data(), z);
  for (std::size_t i = begin; i < end; ++i, z += kDims) {
    if (columns == 0) std::fill_n(z, kDims, 0.0f);
    for (std::size_t c = 0; c < codes; ++c) {
      const std::int32_t code = data_.rows.codes[which[i] * codes + c];
      if (code < 0) continue;
      const float* own = parameters.data() + (columns + static_cast<std::size_t>(code)) * kDims;
      for (std::size_t d = 0; d < kDims; ++d) z[d] += own[d];
    }
    norms_[i] = squared_norm(z);
    for (std::size_t d = 0; d < kDims; ++d) across_[d * rows_ + i] = -2 * z[d];
  }
}

void SoftStep::forecast(std::size_t task, std::span<const std::uint32_t> which) {
  Part& part = parts_[task];
  const std::size_t first = task * kQueryTask;
  const float* z = places_.data() + first * kDims;
  apart_(z, across_.data(), part.apart.data());
  part.loss = 0;
  std::array<float, kQueryTask> query_sums{};
  std::ranges::fill(part.row_sums, 0.0f);
  for (std::size_t q = 0; q < kQueryTask; ++q) {
    float* apart = part.apart.data() + q * rows_;
    find_near(first + q, which, part, apart);
    part.loss += forecast_one(first + q, which, part);
    std::fill_n(apart, rows_, 0.0f);
    for (const Near& near : part.near) {
      apart[near.row] = near.slope;
      query_sums[q] += near.slope;
      part.row_sums[near.row] += near.slope;
    }
  }
  // 2 sum_c s_c (z - z_c) and 2 sum_q s_q (z_c - z), with s the slopes that stand in `apart` now.
  query_back_(part.apart.data(), places_.data(), part.query_slope.data());
  for (std::size_t q = 0; q < kQueryTask; ++q)
    for (std::size_t d = 0; d < kDims; ++d) {
      float& slope = part.query_slope[q * kDims + d];
      slope = 2 * (query_sums[q] * z[q * kDims + d] - slope);
    }
  std::ranges::fill(part.row_slope, 0.0f);
  row_back_(part.apart.data(), z, part.row_slope.data());
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t d = 0; d < kDims; ++d) {
      float& slope = part.row_slope[i * kDims + d];
      slope = 2 * (part.row_sums[i] * places_[i * kDims + d] - slope);
    }
}

/// The rows that are not too far from a query, by the first target, with their squared distances beyond the
/// nearest one. `apart` lacks |z_c|^2, and |z|^2, which is the same for all.
void SoftStep::find_near(std::size_t query, std::span<const std::uint32_t> which, Part& part,
                         float* apart) const {
  constexpr float kNever = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < rows_; ++i) apart[i] += norms_[i];
  apart[query] = kNever;
  if (!data_.groups.empty())
    for (std::size_t i = 0; i < rows_; ++i)
      if (data_.groups[which[i]] == data_.groups[which[query]]) apart[i] = kNever;
  std::array<float, 16> least;  // several, so that they are compared side by side
  least.fill(kNever);
  const std::size_t whole = rows_ / least.size() * least.size();
  for (std::size_t i = 0; i < whole; i += least.size())
    for (std::size_t j = 0; j < least.size(); ++j)
      least[j] = apart[i + j] < least[j] ? apart[i + j] : least[j];
  for (std::size_t i = whole; i < rows_; ++i) least[0] = std::min(least[0], apart[i]);
  const float nearest = *std::ranges::min_element(least);

  part.near.resize(rows_ + 1);
  std::size_t count = 0;
  if (nearest < kNever)
    for (const std::uint32_t row : order_[0]) {
      const float beyond = apart[row] - nearest;
      part.near[count] = {row, beyond, 0};
      count += beyond < kFar ? 1 : 0;
    }
  part.near.resize(count);
}

/// The loss of one query; its near rows get dL/dD.
double SoftStep::forecast_one(std::size_t query, std::span<const std::uint32_t> which, Part& part) {
  float sum = 0;
  for (Near& near : part.near)
    sum += near.probability = data_.weights[which[near.row]] * std::exp(-near.probability);
  if (!(sum > 0)) {
    part.near.clear();
    return 0;
  }
  for (Near& near : part.near) near.probability /= sum;
  double loss = crps(query, which, 0, part.near);
  for (std::size_t t = 1; t < data_.per_row; ++t) {
    std::ranges::sort(part.near, {}, [&](const Near& near) { return rank_[t][near.row]; });
    loss += crps(query, which, t, part.near);
  }
  float mean = 0;
  for (const Near& near : part.near) mean += near.probability * near.slope;
  const float weight = query_weights_[query];
  for (Near& near : part.near) near.slope = -weight * near.probability * (near.slope - mean);
  return loss * static_cast<double>(weight);
}

/// The CRPS of one query for a target by whose value the rows are ascending; g is added to their slopes. Then
///   sum_c' p_c' |y_c - y_c'| = y_c (2 F_c - 1) + m - 2 m_c
/// with F_c and m_c the sums of p and p y up to c, and m of all.
double SoftStep::crps(std::size_t query, std::span<const std::uint32_t> which, std::size_t target,
                      std::span<Near> rows) const {
  const auto value_of = [&](std::size_t i) { return data_.targets[which[i] * data_.per_row + target]; };
  const float y = value_of(query);
  float all = 0, below = 0, sum = 0;
  for (const Near& near : rows) all += near.probability * value_of(near.row);
  double loss = 0;
  for (Near& near : rows) {
    const float p = near.probability, value = value_of(near.row);
    below += p;
    sum += p * value;
    const float spread = value * (2 * below - 1) + all - 2 * sum, error = std::abs(y - value);
    near.slope += error - spread;
    loss += static_cast<double>(p * (error - 0.5f * spread));
  }
  return loss;
}

/// dL/dz of the rows of a task, and what of the gradient of W comes from them.
void SoftStep::collect(std::size_t task) {
  const std::size_t begin = task * kPlaceTask, end = std::min(rows_, begin + kPlaceTask),
                    columns = data_.rows.number_columns;
  std::fill(place_slope_.begin() + static_cast<std::ptrdiff_t>(begin * kDims),
            place_slope_.begin() + static_cast<std::ptrdiff_t>(end * kDims), 0.0f);
  for (const Part& part : parts_)
    for (std::size_t i = begin * kDims; i < end * kDims; ++i) place_slope_[i] += part.row_slope[i];
  for (std::size_t q = begin; q < std::min(end, queries_); ++q) {
    const float* own = parts_[q / kQueryTask].query_slope.data() + q % kQueryTask * kDims;
    for (std::size_t d = 0; d < kDims; ++d) place_slope_[q * kDims + d] += own[d];
  }
  std::vector<float>& gradient = number_gradient_[task];
  gradient.assign(columns * kDims, 0.0f);
  if (columns > 0)
    kernels::Gemm::weight_gradient(end - begin, columns, kDims, columns, kDims, kDims)(
        numbers_.data() + begin * columns, place_slope_.data() + begin * kDims, gradient.data());
}

}  // namespace mirrorball::neighbours
