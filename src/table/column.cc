#include "table/column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "mirrorball/table.h"

namespace mirrorball {
namespace {

/// A spread below this share of the magnitude costs a plain float 3 of its 24 bits and more.
constexpr double kNarrow = 1.0 / 8;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

/// NaN fails both comparisons and is passed over.
Range range_of(std::span<const double> values) {
  Range range;
  for (const double value : values) {
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }
  return range;
}

/// The middle, rounded to a power of two near the spread so that differences to it are exact; 0 for a wide
/// range.
double origin_for(const Range& range) {
  const double spread = range.high - range.low;
  if (spread == 0) return range.low;
  if (!(spread <= kNarrow * std::max(std::abs(range.low), std::abs(range.high)))) return 0;
  const double step = std::exp2(std::floor(std::log2(spread)));
  return std::nearbyint((range.low + spread / 2) / step) * step;
}

bool nearer_to_zero(double value, double origin) { return std::abs(value) < std::abs(value - origin); }

}  // namespace

void NumberColumn::append(std::span<const double> values) {
  place(values);
  const double* next = values.data();
  blocks_.append(values.size(), [&](float* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(next[i] - origin_);
    next += n;
  });
}

void NumberColumn::append_gaps(std::size_t count) {
  blocks_.append(
      count, [](float* out, std::size_t n) { std::fill_n(out, n, std::numeric_limits<float>::quiet_NaN()); });
}

void NumberColumn::place(std::span<const double> values) {
  if (!placed_) {
    const Range range = range_of(values);
    if (range.low > range.high) return;
    origin_ = origin_for(range);
    placed_ = true;
  }
  if (origin_ == 0) return;
  if (std::any_of(values.begin(), values.end(),
                  [&](double value) { return nearer_to_zero(value, origin_); })) {
    blocks_.transform(
        [&](float offset) { return static_cast<float>(static_cast<double>(offset) + origin_); });
    origin_ = 0;
  }
}

void NumberColumn::copy(std::size_t begin, std::size_t end, double* out) const {
  blocks_.visit(begin, end, [&](const float* offsets, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(offsets[i]) + origin_;
    out += n;
  });
}

void CategoryColumn::append(std::span<const std::int32_t> codes, const std::vector<std::string>& levels) {
  std::vector<std::int32_t> own(levels.size());
  std::transform(levels.begin(), levels.end(), own.begin(),
                 [&](const std::string& level) { return dictionary_.code(as_utf8(level)); });
  const std::int32_t* next = codes.data();
  blocks_.append(codes.size(), [&](std::int32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = next[i] < 0 ? Table::kMissing : own[static_cast<std::size_t>(next[i])];
    next += n;
  });
}

void CategoryColumn::append(std::span<const std::string> texts) {
  const std::string* next = texts.data();
  blocks_.append(texts.size(), [&](std::int32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = next[i].empty() ? Table::kMissing : dictionary_.code(as_utf8(next[i]));
    next += n;
  });
}

void CategoryColumn::append_gaps(std::size_t count) {
  blocks_.append(count, [](std::int32_t* out, std::size_t n) { std::fill_n(out, n, Table::kMissing); });
}

void CategoryColumn::copy(std::size_t begin, std::size_t end, std::int32_t* out) const {
  blocks_.visit(begin, end,
                [&](const std::int32_t* codes, std::size_t n) { out = std::copy_n(codes, n, out); });
}

}  // namespace mirrorball
