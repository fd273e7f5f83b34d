#include "row_rate.h"

#include <fmt/format.h>

#include <cmath>

#include "base/grouped.h"

namespace mirrorball::cli {
namespace {

constexpr double kSettled = 1;   // seconds after which a rate no longer jumps
constexpr double kDigits = 100;  // of a rate, two are enough

double rounded(double rate) {
  if (rate < kDigits) return std::ceil(rate);
  const double unit = std::pow(10, std::floor(std::log10(rate)) - 1);
  return std::round(rate / unit) * unit;
}

}  // namespace

std::string RowRate::operator()(std::size_t rows) const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::string words = grouped(rows) + " rows";
  if (seconds < kSettled) return words;
  const double rate = rounded(static_cast<double>(rows) / seconds);
  return fmt::format("{}, {} rows/s", words, grouped(static_cast<std::size_t>(rate)));
}

}  // namespace mirrorball::cli
