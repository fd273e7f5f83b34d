#include "neighbours/soft_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/float_order.h"

namespace mirrorball::neighbours {
namespace {

/// exp(-x) of more is nothing beside the nearest row.
constexpr float kFar = 20, kNever = std::numeric_limits<float>::infinity();
/// Rows whose least distance is known, so that they can be passed over together.
constexpr std::size_t kPassed = 64;

std::size_t tasks_of(std::size_t count, std::size_t task) { return (count + task - 1) / task; }

float squared_norm(const float* z) {
  float sum = 0;
  for (std::size_t d = 0; d < kDims; ++d) sum += z[d] * z[d];
  return sum;
}

template <class Numbers>
auto block_of(Numbers&& all, std::size_t block) {
  return std::span(all).subspan(block * kPassed, std::min(kPassed, all.size() - block * kPassed));
}

/// Adds the norms to the distances, and returns the least sum. Some sums side by side, as vectors.
float add_and_least(std::span<float> distances, std::span<const float> norms) {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> least;
  least.fill(kNever);
  const std::size_t whole = distances.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
#pragma GCC unroll 1  // GCC makes scalars of what it unrolls
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float sum = distances[i + lane] + norms[i + lane];
      distances[i + lane] = sum;
      least[lane] = sum < least[lane] ? sum : least[lane];
    }
  for (std::size_t i = whole; i < distances.size(); ++i)
    least[0] = std::min(least[0], distances[i] += norms[i]);
  return *std::ranges::min_element(least);
}

}  // namespace

SoftStep::SoftStep(const MetricData& data, std::size_t rows, std::size_t queries)
    : data_(data),
      rows_(rows),
      queries_(std::min(queries, rows) / kQueryTask * kQueryTask),
      tasks_(queries_ / kQueryTask),
      keys_(rows),
      row_(rows),
      query_(queries_),
      values_(data.per_row, std::vector<float>(rows)),
      rank_(data.per_row, std::vector<std::uint32_t>(rows)),
      weights_(rows),
      query_weights_(queries_),
      groups_(data.groups.empty() ? 0 : rows),
      numbers_(rows * data.rows.number_columns),
      places_(rows * kDims),
      across_(rows * kDims),
      query_places_(queries_ * kDims),
      norms_(rows),
      parts_(tasks_),
      slope_(rows * kDims),
      number_gradient_(tasks_of(rows, kPlaceTask)),
      apart_(kernels::Gemm::forward(kQueryTask, kDims, rows, kDims, rows, rows)) {
  for (Part& part : parts_) {
    part.apart.resize(kQueryTask * rows);
    part.block_least.resize(tasks_of(rows, kPassed));
    part.near.resize(rows + 1);
    part.slope.resize(rows * kDims);
  }
}

std::size_t SoftStep::parameters(const MetricData& data) {
  return (data.rows.number_columns + data.learned_rows) * kDims;
}

double SoftStep::operator()(std::span<const float> parameters, std::span<const std::uint32_t> which,
                            std::span<float> gradient, ThreadPool& pool) {
  const std::size_t place_tasks = number_gradient_.size(),
                    number_parameters = data_.rows.number_columns * kDims;
  sort(which);
  pool.run(place_tasks, [&](std::size_t task, unsigned) { place(task, parameters); });
  pool.run(tasks_, [&](std::size_t task, unsigned) { forecast(task); });
  pool.run(place_tasks, [&](std::size_t task, unsigned) { collect(task); });

  // In the order of the tasks, whatever the threads.
  std::ranges::fill(gradient, 0.0f);
  for (const std::vector<float>& part : number_gradient_)
    for (std::size_t i = 0; i < number_parameters; ++i) gradient[i] += part[i];
  const std::size_t codes = data_.rows.code_columns;
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t c = 0; c < codes; ++c) {
      const std::int32_t code = data_.rows.codes[row_[i] * codes + c];
      if (code < 0) continue;
      float* to = gradient.data() + number_parameters + static_cast<std::size_t>(code) * kDims;
      for (std::size_t d = 0; d < kDims; ++d) to[d] += slope_[i * kDims + d];
    }
  double loss = 0;
  for (const Part& part : parts_) loss += part.loss;
  return loss;
}

/// Gathers what a step needs of its rows, ascending by the first target: what is near a query then lies side
/// by side, once something is learned.
void SoftStep::sort(std::span<const std::uint32_t> which) {
  const auto sort_keys = [&](std::size_t target, auto row_of) {
    for (std::size_t i = 0; i < rows_; ++i)
      keys_[i] = sort_key(data_.targets[row_of(i) * data_.per_row + target], i);
    std::ranges::sort(keys_);
  };
  sort_keys(0, [&](std::size_t i) { return which[i]; });
  for (std::uint32_t i = 0; i < rows_; ++i) {
    const std::size_t place = place_of(keys_[i]);
    row_[i] = which[place];
    if (place < queries_) query_[place] = i;
    weights_[i] = data_.weights[row_[i]];
    if (!groups_.empty()) groups_[i] = data_.groups[row_[i]];
    for (std::size_t t = 0; t < data_.per_row; ++t)
      values_[t][i] = data_.targets[row_[i] * data_.per_row + t];
  }
  for (std::size_t t = 1; t < data_.per_row; ++t) {
    sort_keys(t, [&](std::size_t i) { return row_[i]; });
    for (std::uint32_t i = 0; i < rows_; ++i) rank_[t][place_of(keys_[i])] = i;
  }
  float total = 0;
  for (std::size_t q = 0; q < queries_; ++q) total += query_weights_[q] = weights_[query_[q]];
  for (float& weight : query_weights_) weight /= total;
}

void SoftStep::place(std::size_t task, std::span<const float> parameters) {
  const std::size_t begin = task * kPlaceTask, end = std::min(rows_, begin + kPlaceTask),
                    columns = data_.rows.number_columns, codes = data_.rows.code_columns;
  for (std::size_t i = begin; i < end; ++i)
    std::copy_n(data_.rows.numbers.data() + row_[i] * columns, columns, numbers_.data() + i * columns);
  float* z = places_.data() + begin * kDims;
  if (columns > 0)
    kernels::Gemm::forward(end - begin, columns, kDims, columns, kDims, kDims)(
        numbers_.data() + begin * columns, parameters.data(), z);
  for (std::size_t i = begin; i < end; ++i, z += kDims) {
    if (columns == 0) std::fill_n(z, kDims, 0.0f);
    for (std::size_t c = 0; c < codes; ++c) {
      const std::int32_t code = data_.rows.codes[row_[i] * codes + c];
      if (code < 0) continue;
      const float* own = parameters.data() + (columns + static_cast<std::size_t>(code)) * kDims;
      for (std::size_t d = 0; d < kDims; ++d) z[d] += own[d];
    }
    norms_[i] = squared_norm(z);
    for (std::size_t d = 0; d < kDims; ++d) across_[d * rows_ + i] = -2 * z[d];
  }
}

void SoftStep::forecast(std::size_t task) {
  Part& part = parts_[task];
  const std::size_t first = task * kQueryTask;
  float* z = query_places_.data() + first * kDims;
  for (std::size_t q = 0; q < kQueryTask; ++q)
    std::copy_n(places_.data() + query_[first + q] * kDims, kDims, z + q * kDims);
  apart_(z, across_.data(), part.apart.data());
  part.loss = 0;
  std::ranges::fill(part.slope, 0.0f);
  for (std::size_t q = 0; q < kQueryTask; ++q, z += kDims) {
    const std::uint32_t query = query_[first + q];
    find_near(query, part, {part.apart.data() + q * rows_, rows_});
    part.loss += forecast_one(first + q, part);
    float* own = part.slope.data() + query * kDims;
    for (const Near& near : part.near) {
      float* other = part.slope.data() + near.row * kDims;
      const float* at = places_.data() + near.row * kDims;
      for (std::size_t d = 0; d < kDims; ++d) {
        const float slope = 2 * near.slope * (at[d] - z[d]);
        other[d] += slope;
        own[d] -= slope;
      }
    }
  }
}

/// The rows that are not too far from a query, with their squared distances beyond the nearest one. `apart`
/// lacks |z_c|^2 at first, and always |z|^2, which is the same for all.
void SoftStep::find_near(std::uint32_t query, Part& part, std::span<float> apart) const {
  apart[query] = kNever;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i] == groups_[query]) apart[i] = kNever;
  for (std::size_t b = 0; b < part.block_least.size(); ++b)
    part.block_least[b] = add_and_least(block_of(apart, b), block_of(norms_, b));
  const float nearest = *std::ranges::min_element(part.block_least);
  part.near.clear();
  if (nearest == kNever) return;
  for (std::size_t b = 0; b < part.block_least.size(); ++b) {
    if (part.block_least[b] - nearest >= kFar) continue;
    const std::span<const float> distances = block_of(apart, b);
    for (std::size_t i = 0; i < distances.size(); ++i)
      if (distances[i] - nearest < kFar)
        part.near.push_back({static_cast<std::uint32_t>(b * kPassed + i), distances[i] - nearest, 0});
  }
}

/// The loss of one query; its near rows get dL/dD.
double SoftStep::forecast_one(std::size_t query, Part& part) {
  float sum = 0;
  for (Near& near : part.near) sum += near.probability = weights_[near.row] * std::exp(-near.probability);
  if (!(sum > 0)) {
    part.near.clear();
    return 0;
  }
  for (Near& near : part.near) near.probability /= sum;
  double loss = crps(query_[query], 0, part.near);
  for (std::size_t t = 1; t < data_.per_row; ++t) {
    std::ranges::sort(part.near, {}, [&](const Near& near) { return rank_[t][near.row]; });
    loss += crps(query_[query], t, part.near);
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
double SoftStep::crps(std::uint32_t query, std::size_t target, std::span<Near> rows) const {
  const std::vector<float>& values = values_[target];
  const float y = values[query];
  float all = 0, below = 0, sum = 0;
  for (const Near& near : rows) all += near.probability * values[near.row];
  double loss = 0;
  for (Near& near : rows) {
    const float p = near.probability, value = values[near.row];
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
  std::fill(slope_.begin() + static_cast<std::ptrdiff_t>(begin * kDims),
            slope_.begin() + static_cast<std::ptrdiff_t>(end * kDims), 0.0f);
  for (const Part& part : parts_)
    for (std::size_t i = begin * kDims; i < end * kDims; ++i) slope_[i] += part.slope[i];
  std::vector<float>& gradient = number_gradient_[task];
  gradient.assign(columns * kDims, 0.0f);
  if (columns > 0)
    kernels::Gemm::weight_gradient(end - begin, columns, kDims, columns, kDims, kDims)(
        numbers_.data() + begin * columns, slope_.data() + begin * kDims, gradient.data());
}

}  // namespace mirrorball::neighbours
