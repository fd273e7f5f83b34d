#include "table/number_column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace mirrorball::table {
namespace {

/// Powers of ten that a double holds.
constexpr std::array<double, 23> kTenTo = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr double kMostSteps = 0x1p51;  ///< below it every whole number and its neighbours are doubles
constexpr double kHalfRange = 0x1p31 - 1;
static_assert(Blocks<std::uint32_t>::kRows % NumberColumn::kGroup == 0, "a group lies in one block");

constexpr std::int32_t kMissingStep = std::numeric_limits<std::int32_t>::min();

/// To the nearest whole number, for |x| < 2^51: without a call, so that loops of it are vector code.
double whole_steps(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

/// Both loops below look at every value, without a branch, for the same reason. NaN counts as held.
bool all_floats(std::span<const double> values) {
  unsigned lost = 0;
  for (const double value : values)
    lost |= static_cast<unsigned>(static_cast<double>(static_cast<float>(value)) != value) &
            static_cast<unsigned>(value == value);
  return lost == 0;
}

/// Whether a value is n / scale, and the division gives it back to the bit. A negative zero is not.
bool is_steps(double value, double scale) {
  const double steps = whole_steps(value * scale);
  return std::fabs(value * scale) < kMostSteps && steps / scale == value &&
         !(value == 0 && std::signbit(value));
}

bool all_steps(std::span<const double> values, double scale) {
  unsigned lost = 0;
  for (const double value : values) {
    const double scaled = value * scale;
    const unsigned held =
        static_cast<unsigned>(std::fabs(scaled) < kMostSteps) &
        static_cast<unsigned>(whole_steps(scaled) / scale == value) &
        static_cast<unsigned>(std::bit_cast<std::uint64_t>(value) != std::uint64_t{1} << 63);
    lost |= (held ^ 1u) & static_cast<unsigned>(value == value);
  }
  return lost == 0;
}

}  // namespace

void NumberColumn::append(std::span<const double> values) {
  while (!values.empty()) {
    if (open_.empty() && values.size() >= kGroup) {
      close(values.first(kGroup));
      values = values.subspan(kGroup);
      continue;
    }
    const std::size_t n = std::min(values.size(), kGroup - open_.size());
    open_.insert(open_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    values = values.subspan(n);
    if (open_.size() < kGroup) return;
    close(open_);
    open_.clear();
  }
}

void NumberColumn::append_missing(std::size_t count) {
  const std::vector<double> missing(std::min(count, kGroup), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t n; count > 0; count -= n)
    append(std::span(missing).first(n = std::min(count, missing.size())));
}

NumberColumn NumberColumn::slice(std::size_t begin, std::size_t end) const {
  NumberColumn part;
  std::array<double, kGroup> values;
  for (std::size_t n; begin < end; begin += n) {
    n = std::min(end - begin, kGroup);
    copy(begin, begin + n, values.data());
    part.append({values.data(), n});
  }
  part.trim();
  return part;
}

void NumberColumn::trim() {
  if (!open_.empty()) close(open_);
  open_ = {};
  low_.trim();
  high_.trim();
}

void NumberColumn::close(std::span<const double> values) {
  groups_.emplace_back();
  if (all_floats(values)) return store_floats(values);
  if (!store_steps(values)) store_doubles(values);
}

void NumberColumn::store_floats(std::span<const double> values) {
  const double* next = values.data();
  low_.append(values.size(), [&](std::uint32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = std::bit_cast<std::uint32_t>(static_cast<float>(next[i]));
    next += n;
  });
}

/// Looks for the fewest decimals that all values have, from those of the group before on.
bool NumberColumn::store_steps(std::span<const double> values) {
  std::size_t decimals = decimals_;
  if (!all_steps(values, kTenTo[decimals])) {
    decimals = 0;
    for (const double value : values)
      while (value == value && !is_steps(value, kTenTo[decimals]))
        if (++decimals == kTenTo.size()) return false;
    if (!all_steps(values, kTenTo[decimals])) return false;
  }
  const double scale = kTenTo[decimals];
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double value : values) {  // NaN fails both comparisons
    const double steps = whole_steps(value * scale);
    if (steps < least) least = steps;
    if (steps > most) most = steps;
  }
  if (most - least > 2 * kHalfRange) return false;
  const double base = least + kHalfRange;
  const double* next = values.data();
  low_.append(values.size(), [&](std::uint32_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = static_cast<std::uint32_t>(
          next[i] == next[i] ? static_cast<std::int32_t>(whole_steps(next[i] * scale) - base) : kMissingStep);
    next += n;
  });
  decimals_ = static_cast<std::uint8_t>(decimals);
  groups_.back().form = Form::kSteps;
  groups_.back().decimals = decimals_;
  groups_.back().base = base;
  return true;
}

void NumberColumn::store_doubles(std::span<const double> values) {
  groups_.back().form = Form::kDouble;
  groups_.back().high = high_.size();
  const auto append = [&](Blocks<std::uint32_t>& to, int shift) {
    const double* next = values.data();
    to.append(values.size(), [&](std::uint32_t* out, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        out[i] = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(next[i]) >> shift);
      next += n;
    });
  };
  append(low_, 0);
  append(high_, 32);
}

double NumberColumn::operator[](std::size_t row) const {
  double value;
  copy(row, row + 1, &value);
  return value;
}

void NumberColumn::copy(std::size_t begin, std::size_t end, double* out) const {
  for (std::size_t stop; begin < end; begin = stop) {
    const Group& group = groups_[begin / kGroup];
    stop = std::min(end, (begin / kGroup + 1) * kGroup);
    const double base = group.base, scale = kTenTo[group.decimals];
    const std::size_t from = group.high + begin % kGroup;
    low_.visit(begin, stop, [&](const std::uint32_t* low, std::size_t n) {
      switch (group.form) {
        case Form::kFloat:
          for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<double>(std::bit_cast<float>(low[i]));
          break;
        case Form::kSteps:
          for (std::size_t i = 0; i < n; ++i) {
            const auto step = static_cast<std::int32_t>(low[i]);
            out[i] = step == kMissingStep ? std::numeric_limits<double>::quiet_NaN() : (base + step) / scale;
          }
          break;
        case Form::kDouble:
          high_.visit(from, from + n, [&](const std::uint32_t* high, std::size_t) {
            for (std::size_t i = 0; i < n; ++i)
              out[i] = std::bit_cast<double>(std::uint64_t{high[i]} << 32 | low[i]);
          });
          break;
      }
      out += n;
    });
  }
}

void NumberColumn::discard_before(std::size_t row) {
  low_.discard_before(row);
  const std::size_t first = row / kGroup;
  const auto kept =
      std::find_if(groups_.begin() + static_cast<std::ptrdiff_t>(std::min(first, groups_.size())),
                   groups_.end(), [](const Group& group) { return group.form == Form::kDouble; });
  high_.discard_before(kept == groups_.end() ? high_.size() : kept->high);
}

}  // namespace mirrorball::table
