#include "neighbours/fit_neighbours.h"

#include <algorithm>
#include <array>

namespace mirrorball::neighbours {
namespace {

constexpr std::size_t kTaskRows = 256;

}  // namespace

Neighbours FittedNeighbours::in_way(const Way& way) const {
  Neighbours made = neighbours;
  made.way = way;
  if (way.errors) made.values = errors;
  return made;
}

std::span<const Neighbours::Near> FittedNeighbours::nearest(const rows::EncodedRows& all, std::size_t row,
                                                            Neighbours::Scratch& scratch) const {
  std::array<float, kDims> z;
  neighbours.metric.place(all.numbers_of(row), all.codes_of(row), z);
  const auto own = std::ranges::lower_bound(rows, row);
  const bool kept = own != rows.end() && *own == row;
  return neighbours.nearest(z, kept ? static_cast<std::int32_t>(own - rows.begin()) : Neighbours::kNobody,
                            scratch);
}

FittedNeighbours keep_neighbours(const MetricData& data, Metric metric, std::span<const std::uint32_t> keep,
                                 const HeldOutMean& mean, ThreadPool& pool) {
  FittedNeighbours made;
  std::ranges::copy_if(keep, std::back_inserter(made.rows),
                       [&](std::uint32_t row) { return data.weights[row] > 0; });
  const std::size_t count = made.rows.size(), targets = data.per_row;
  Neighbours& all = made.neighbours;
  all.metric = std::move(metric);
  all.targets = targets;
  all.places.resize(count * kDims);
  all.values.resize(count * targets);
  all.weights.resize(count);
  if (mean) made.errors.resize(count * targets);
  const auto keep_row = [&](std::size_t i) {
    const std::uint32_t row = made.rows[i];
    std::array<float, kDims> z;
    all.metric.place(data.rows.numbers_of(row), data.rows.codes_of(row), z);
    for (std::size_t d = 0; d < kDims; ++d) all.places[d * count + i] = z[d];
    all.weights[i] = data.weights[row];
    for (std::size_t t = 0; t < targets; ++t) {
      const float value = data.targets[row * targets + t];
      all.values[i * targets + t] = value;
      if (mean) made.errors[i * targets + t] = static_cast<float>(static_cast<double>(value) - mean(row, t));
    }
  };
  pool.run((count + kTaskRows - 1) / kTaskRows, [&](std::size_t task, unsigned) {
    for (std::size_t i = task * kTaskRows; i < std::min(count, (task + 1) * kTaskRows); ++i) keep_row(i);
  });
  if (all.weights.empty() || std::ranges::all_of(all.weights, [&](float w) { return w == all.weights[0]; }))
    all.weights.clear();
  return made;
}

}  // namespace mirrorball::neighbours
