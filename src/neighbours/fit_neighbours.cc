#include "neighbours/fit_neighbours.h"

#include <algorithm>
#include <array>

namespace mirrorball::neighbours {
namespace {

std::span<const float> numbers_of(const rows::EncodedRows& rows, std::size_t row) {
  return {rows.numbers.data() + row * rows.number_columns, rows.number_columns};
}
std::span<const std::int32_t> codes_of(const rows::EncodedRows& rows, std::size_t row) {
  return {rows.codes.data() + row * rows.code_columns, rows.code_columns};
}

std::vector<std::uint32_t> with_weight(std::span<const std::uint32_t> which, std::span<const float> weights) {
  std::vector<std::uint32_t> some;
  std::ranges::copy_if(which, std::back_inserter(some), [&](std::uint32_t row) { return weights[row] > 0; });
  return some;
}

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
  neighbours.metric.place(numbers_of(all, row), codes_of(all, row), z);
  const auto own = std::ranges::lower_bound(rows, row);
  const bool kept = own != rows.end() && *own == row;
  return neighbours.nearest(z, kept ? static_cast<std::int32_t>(own - rows.begin()) : Neighbours::kNobody,
                            scratch);
}

FittedNeighbours fit_neighbours(const MetricData& data, std::span<const std::uint32_t> learn,
                                std::span<const std::uint32_t> keep, const HeldOutMean& mean,
                                const MetricPlan& plan, std::uint64_t seed, ThreadPool& pool) {
  FittedNeighbours made;
  made.rows = with_weight(keep, data.weights);
  Neighbours& all = made.neighbours;
  all.metric = fit_metric(data, with_weight(learn, data.weights), plan, seed, pool);
  all.targets = data.per_row;
  all.places.resize(made.rows.size() * kDims);
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const std::uint32_t row = made.rows[i];
    std::array<float, kDims> z;
    all.metric.place(numbers_of(data.rows, row), codes_of(data.rows, row), z);
    for (std::size_t d = 0; d < kDims; ++d) all.places[d * made.rows.size() + i] = z[d];
    all.weights.push_back(data.weights[row]);
    for (std::size_t t = 0; t < data.per_row; ++t) {
      const float value = data.targets[row * data.per_row + t];
      all.values.push_back(value);
      if (mean) made.errors.push_back(static_cast<float>(static_cast<double>(value) - mean(row, t)));
    }
  }
  if (all.weights.empty() || std::ranges::all_of(all.weights, [&](float w) { return w == all.weights[0]; }))
    all.weights.clear();
  return made;
}

}  // namespace mirrorball::neighbours
