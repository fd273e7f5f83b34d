#include "table/column.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/utf8.h"
#include "mirrorball/table.h"

namespace mirrorball::table {
namespace {

/// A spread below this share of the magnitude costs a plain float 3 of its 24 bits and more.
constexpr double kNarrow = 1.0 / 8;

struct Extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

/// NaN fails both comparisons and is passed over.
Extremes extremes_of(std::span<const double> values) {
  Extremes range;
  for (const double value : values) {
    if (value < range.low) range.low = value;
    if (value > range.high) range.high = value;
  }
  return range;
}

/// The middle, rounded to a power of two near the spread so that differences to it are exact; 0 for a wide
/// range.
double origin_for(const Extremes& range) {
  const double spread = range.high - range.low;
  if (spread == 0) return range.low;
  if (!(spread <= kNarrow * std::max(std::abs(range.low), std::abs(range.high)))) return 0;
  const double step = std::exp2(std::floor(std::log2(spread)));
  return std::nearbyint((range.low + spread / 2) / step) * step;
}

bool nearer_to_zero(double value, double origin) { return std::abs(value) < std::abs(value - origin); }

}  // namespace

void check_range(const std::string& column, std::size_t first_row, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i]) > std::numeric_limits<float>::max())
      bad_input(
          "column '{}', row {} (from 0): {} is infinite or beyond 3.4e38; replace it or make it NaN, a gap",
          column, first_row + i, values[i]);
}

void NumberColumn::append(std::span<const double> values) {
  while (!placed_ && !values.empty()) {
    const std::size_t n = std::min(values.size(), kJudged - passed_ - waiting_.size());
    waiting_.insert(waiting_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    values = values.subspan(n);
    if (passed_ + waiting_.size() == kJudged) settle();
  }
  write(values);
}

void NumberColumn::append_gaps(std::size_t count) {
  const std::vector<double> gaps(std::min(count, kJudged), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t n; count > 0; count -= n) append(std::span(gaps).first(n = std::min(count, gaps.size())));
}

void NumberColumn::trim() {
  settle();
  blocks_.trim();
}

/// Judges the origin on the rows that wait for it; where they are gaps only, on later ones.
void NumberColumn::settle() {
  const Extremes range = extremes_of(waiting_);
  if (range.low <= range.high) {
    origin_ = origin_for(range);
    placed_ = true;
  }
  store(waiting_);
  passed_ = (passed_ + waiting_.size()) % kJudged;
  waiting_ = {};
}

bool NumberColumn::can_cut() const {
  return placed_ ||
         std::all_of(waiting_.begin(), waiting_.end(), [](double value) { return std::isnan(value); });
}

NumberColumn NumberColumn::continued() const {
  NumberColumn next;
  next.passed_ = passed_;
  next.origin_ = origin_;
  next.placed_ = placed_;
  return next;
}

NumberColumn NumberColumn::slice(std::size_t begin, std::size_t end) const {
  NumberColumn part = continued();
  blocks_.visit(begin, end, [&](const float* offsets, std::size_t n) {
    part.blocks_.append(n, [&](float* out, std::size_t m) {
      std::copy_n(offsets, m, out);
      offsets += m;
    });
  });
  part.blocks_.trim();
  return part;
}

void NumberColumn::write(std::span<const double> values) {
  if (origin_ != 0) {
    const auto near = std::find_if(values.begin(), values.end(),
                                   [&](double value) { return nearer_to_zero(value, origin_); });
    if (near != values.end()) {
      const auto before = static_cast<std::size_t>(near - values.begin());
      store(values.first(before));
      values = values.subspan(before);
      blocks_.transform(
          [&](float offset) { return static_cast<float>(static_cast<double>(offset) + origin_); });
      origin_ = 0;
    }
  }
  store(values);
}

void NumberColumn::store(std::span<const double> values) {
  const double* next = values.data();
  blocks_.append(values.size(), [&](float* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(next[i] - origin_);
    next += n;
  });
}

void NumberColumn::copy(std::size_t begin, std::size_t end, double* out) const {
  blocks_.visit(begin, end, [&](const float* offsets, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(offsets[i]) + origin_;
    out += n;
  });
}

void CategoryColumn::append(std::span<const std::int32_t> codes, const std::vector<std::string>& categories) {
  // Levels are taken over when they first appear: their order then is that of the rows, from whatever source.
  constexpr std::int32_t kNotSeen = -2;
  std::vector<std::int32_t> own(categories.size(), kNotSeen);
  const auto translate = [&](std::int32_t code) {
    if (code < 0) return Table::kMissing;
    const auto place = static_cast<std::size_t>(code);
    if (own[place] == kNotSeen)
      own[place] = categories[place].empty() ? Table::kMissing : dictionary_.code(as_utf8(categories[place]));
    return own[place];
  };
  const std::int32_t* next = codes.data();
  blocks_.append(codes.size(), [&](std::int32_t* out, std::size_t n) {
    std::transform(next, next + n, out, translate);
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

void CategoryColumn::append(std::span<const double> numbers) {
  const double* next = numbers.data();
  blocks_.append(numbers.size(), [&](std::int32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = std::isnan(next[i]) ? Table::kMissing : dictionary_.code(fmt::format("{}", next[i]));
    next += n;
  });
}

void CategoryColumn::append_gaps(std::size_t count) {
  blocks_.append(count, [](std::int32_t* out, std::size_t n) { std::fill_n(out, n, Table::kMissing); });
}

CategoryColumn CategoryColumn::slice(std::size_t begin, std::size_t end) const {
  CategoryColumn part;
  blocks_.visit(begin, end, [&](const std::int32_t* codes, std::size_t n) {
    part.append({codes, n}, categories());
  });
  part.trim();
  return part;
}

void CategoryColumn::copy(std::size_t begin, std::size_t end, std::int32_t* out) const {
  blocks_.visit(begin, end,
                [&](const std::int32_t* codes, std::size_t n) { out = std::copy_n(codes, n, out); });
}

}  // namespace mirrorball::table
