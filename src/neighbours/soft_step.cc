#include "neighbours/soft_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "base/float_order.h"

namespace mirrorball::neighbours {
namespace {

static_assert(kDims == kernels::kPlaceDims);

/// exp(-x) of more is nothing beside the nearest row.
constexpr float kFar = 20, kNever = std::numeric_limits<float>::infinity();
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
      queries_(std::min(queries, rows) / kSummed * kSummed),
      tasks_(queries_ / kQueryTask),
      keys_(rows),
      sorted_(rows),
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
      near_(queries_),
      by_row_(data.per_row > 1 ? queries_ : 0),
      slope_(rows * kDims),
      number_gradient_(tasks_of(rows, kPlaceTask)),
      apart_(kernels::Gemm::forward(kQueryTask, kDims, rows, kDims, rows, rows)) {
  for (Part& part : parts_) {
    part.apart.resize(kQueryTask * rows);
    part.block_least.resize(tasks_of(rows, kernels::kNearBlock));
    part.found.resize(rows + kernels::kPlaceDims);
    part.beyond.resize(rows + kernels::kPlaceDims);
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
  pool.run(data_.rows.code_columns,
           [&](std::size_t column, unsigned) { add_codes(column, gradient.subspan(number_parameters)); });
  double loss = 0;
  for (const Part& part : parts_) loss += part.loss;
  return loss;
}

/// No two columns have a learned row in common.
void SoftStep::add_codes(std::size_t column, std::span<float> gradient) const {
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::int32_t code = data_.rows.codes[row_[i] * data_.rows.code_columns + column];
    if (code < 0) continue;
    float* to = gradient.data() + static_cast<std::size_t>(code) * kDims;
    for (std::size_t d = 0; d < kDims; ++d) to[d] += slope_[i * kDims + d];
  }
}

/// By their upper halves, digit by digit from the lowest: equal ones keep their order, which is that of the
/// lower halves.
void SoftStep::sort_keys() {
  constexpr std::size_t kBits = 11, kDigits = std::size_t{1} << kBits;
  std::array<std::uint32_t, kDigits> begin;
  for (std::size_t shift = 32; shift < 64; shift += kBits) {
    const auto digit = [shift](std::uint64_t key) { return (key >> shift) & (kDigits - 1); };
    begin.fill(0);
    for (const std::uint64_t key : keys_) ++begin[digit(key)];
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), std::uint32_t{0});
    for (const std::uint64_t key : keys_) sorted_[begin[digit(key)]++] = key;
    keys_.swap(sorted_);
  }
}

/// Gathers what a step needs of its rows, ascending by the first target: what is near a query then lies side
/// by side, once something is learned.
void SoftStep::sort(std::span<const std::uint32_t> which) {
  const auto sort_by = [&](std::size_t target, auto row_of) {
    for (std::size_t i = 0; i < rows_; ++i)
      keys_[i] = sort_key(data_.targets[row_of(i) * data_.per_row + target], i);
    sort_keys();
  };
  sort_by(0, [&](std::size_t i) { return which[i]; });
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
    sort_by(t, [&](std::size_t i) { return row_[i]; });
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
  for (std::size_t q = 0; q < kQueryTask; ++q) {
    const std::size_t found = find_near(query_[first + q], part, {part.apart.data() + q * rows_, rows_});
    part.loss += forecast_one(first + q, found, part);
  }
}

/// The rows that are not too far from a query, with their squared distances beyond the nearest one. `apart`
/// lacks |z_c|^2 at first, and always |z|^2, which is the same for all.
std::size_t SoftStep::find_near(std::uint32_t query, Part& part, std::span<float> apart) const {
  apart[query] = kNever;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i] == groups_[query]) apart[i] = kNever;
  const float nearest =
      kernels::add_and_least(apart.data(), norms_.data(), apart.size(), part.block_least.data());
  if (nearest == kNever) return 0;
  return kernels::rows_within(apart.data(), apart.size(), part.block_least.data(), nearest, kFar,
                              part.found.data(), part.beyond.data());
}

/// The loss of one query; its near rows, of which so many are found, get dL/dD.
double SoftStep::forecast_one(std::size_t query, std::size_t found, const Part& part) {
  std::vector<Near>& rows = near_[query];
  rows.clear();
  float sum = 0;
  for (std::size_t i = 0; i < found; ++i) {
    const float probability = weights_[part.found[i]] * std::exp(-part.beyond[i]);
    sum += probability;
    rows.push_back({part.found[i], probability, 0});
  }
  if (!(sum > 0)) rows.clear();
  for (Near& near : rows) near.probability /= sum;
  double loss = crps(query_[query], 0, rows);
  for (std::size_t t = 1; t < data_.per_row; ++t) {
    std::ranges::sort(rows, {}, [&](const Near& near) { return rank_[t][near.row]; });
    loss += crps(query_[query], t, rows);
  }
  float mean = 0;
  for (const Near& near : rows) mean += near.probability * near.slope;
  const float weight = query_weights_[query];
  for (Near& near : rows) near.slope = -weight * near.probability * (near.slope - mean);
  if (!by_row_.empty()) {
    by_row_[query] = rows;
    std::ranges::sort(by_row_[query], {}, &Near::row);
  }
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

/// What one query adds to dL/dz of the rows from `begin` to `end`, which may have its own among them.
void SoftStep::add_slopes_of(std::size_t query, std::size_t begin, std::size_t end, float* slopes) const {
  const std::vector<Near>&near = near_[query], &by_row = by_row_.empty() ? near : by_row_[query];
  const float* z = query_places_.data() + query * kDims;
  const auto first = std::ranges::lower_bound(by_row, begin, {}, &Near::row),
             last = std::ranges::lower_bound(first, by_row.end(), end, {}, &Near::row);
  kernels::add_slopes(std::to_address(first), static_cast<std::size_t>(last - first), places_.data(), z,
                      begin, slopes);
  const std::size_t own = query_[query];
  if (own >= begin && own < end)
    kernels::subtract_slopes(near.data(), near.size(), places_.data(), z, slopes + (own - begin) * kDims);
}

/// dL/dz of the rows of a task, and what of the gradient of W comes from them.
void SoftStep::collect(std::size_t task) {
  const std::size_t begin = task * kPlaceTask, end = std::min(rows_, begin + kPlaceTask),
                    columns = data_.rows.number_columns;
  std::fill(slope_.begin() + static_cast<std::ptrdiff_t>(begin * kDims),
            slope_.begin() + static_cast<std::ptrdiff_t>(end * kDims), 0.0f);
  std::array<float, kPlaceTask * kDims> sum;
  for (std::size_t first = 0; first < queries_; first += kSummed) {
    sum.fill(0);
    for (std::size_t query = first; query < first + kSummed; ++query)
      add_slopes_of(query, begin, end, sum.data());
    kernels::add_to(slope_.data() + begin * kDims, sum.data(), (end - begin) * kDims);
  }
  std::vector<float>& gradient = number_gradient_[task];
  gradient.assign(columns * kDims, 0.0f);
  if (columns > 0)
    kernels::Gemm::weight_gradient(end - begin, columns, kDims, columns, kDims, kDims)(
        numbers_.data() + begin * columns, slope_.data() + begin * kDims, gradient.data());
}

}  // namespace mirrorball::neighbours
