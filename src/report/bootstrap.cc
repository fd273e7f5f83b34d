#include "report/bootstrap.h"

#include <algorithm>

#include "base/order_statistics.h"
#include "base/random.h"
#include "base/thread_pool.h"

namespace mirrorball::report {
namespace {

/// Many for the ends of an interval, fewer where there are so many rows that it takes seconds.
constexpr std::size_t kRepeats = 1000, kLeastRepeats = 200, kMostRowDraws = 10'000'000;

}  // namespace

Bootstrap::Bootstrap(const std::vector<std::span<const double>>& columns, std::uint64_t seed,
                     unsigned threads)
    : columns_(columns.size()) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  if (rows == 0) return;
  repeats_ = std::clamp(kMostRowDraws / rows, kLeastRepeats, kRepeats);
  std::vector<double> table(rows * columns_);  // a row's numbers side by side: they are drawn together
  for (std::size_t k = 0; k < columns_; ++k)
    for (std::size_t row = 0; row < rows; ++row) table[row * columns_ + k] = columns[k][row];
  means_.assign(repeats_ * columns_, 0.0);
  ThreadPool(threads).run(repeats_, [&](std::size_t repeat, unsigned) {
    Stream random(seed, Purpose::kBootstrap, static_cast<std::uint32_t>(repeat));
    double* const own = means_.data() + repeat * columns_;
    for (std::size_t i = 0; i < rows; ++i) {
      const double* const drawn = table.data() + random.below(static_cast<std::uint32_t>(rows)) * columns_;
      for (std::size_t k = 0; k < columns_; ++k) own[k] += drawn[k];
    }
    for (std::size_t k = 0; k < columns_; ++k) own[k] /= static_cast<double>(rows);
  });
}

Interval Bootstrap::interval(const Score& score) const {
  if (repeats_ == 0) return {};
  std::vector<double> values(repeats_);
  for (std::size_t repeat = 0; repeat < repeats_; ++repeat)
    values[repeat] = score(std::span(means_).subspan(repeat * columns_, columns_));
  std::sort(values.begin(), values.end());
  return {sorted_quantile(values, 0.025), sorted_quantile(values, 0.975)};
}

}  // namespace mirrorball::report
