#include "contribution_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mirrorball::cli {
namespace {

constexpr int kBar = 12;              ///< characters on either side of the axis
constexpr int kMostDecimals = 9;      ///< smaller numbers get an exponent
constexpr int kDigits = 4;            ///< of the largest number, at most
constexpr std::size_t kHeading = 12;  ///< "contribution"

std::string fixed(double value, int decimals) {
  if (decimals > kMostDecimals) return fmt::format("{:.{}g}", value, kDigits);
  if (decimals >= 0) return fmt::format("{:.{}f}", value, decimals);
  const double unit = std::pow(10.0, -decimals);
  return fmt::format("{:.0f}", std::round(value / unit) * unit);
}

/// The place of the first digit: 2 for 100 to 999, -1 for 0.1 to 0.9.
int magnitude(double value) { return static_cast<int>(std::floor(std::log10(value))); }

std::size_t point(const std::string& number) { return std::min(number.find('.'), number.size()); }

/// Characters of a bar's half that ends here; none on the other side of the axis.
int cells(double end, double reach) {
  return std::clamp(static_cast<int>(std::lround(end / reach * kBar)), 0, kBar);
}

/// One half, from the axis outwards: solid up to `near`, shaded up to `far`. However short, what is sure to
/// lie on this side is solid.
std::vector<const char*> half(double near, double far, double reach) {
  std::vector<const char*> made(kBar, " ");
  std::fill_n(made.begin(), cells(far, reach), "░");
  std::fill_n(made.begin(), near > 0 && far > near ? std::max(cells(near, reach), 1) : cells(near, reach),
              "█");
  return made;
}

}  // namespace

ContributionText::ContributionText(const std::vector<Uncertain>& contributions,
                                   const std::vector<double>& levels) {
  for (const auto& [value, error] : contributions) {
    largest_ = std::max(largest_, std::abs(value));
    reach_ = std::max(reach_, std::abs(value) + (error > 0 ? 2 * error : 0));
    any_error_ = any_error_ || !(error == 0);
  }
  most_decimals_ = std::numeric_limits<int>::min();
  for (const Uncertain& one : contributions) most_decimals_ = std::max(most_decimals_, decimals(one.error));
  if (contributions.empty()) most_decimals_ = kDigits;
  for (const Uncertain& one : contributions) {
    make_room(contribution_text(one));
    error_width_ = std::max(error_width_, fixed(one.error, decimals(one.error)).size());
  }
  for (const double level : levels) make_room(level_text(level));
  before_ += kHeading - std::min(kHeading, before_ + after_);
}

/// One digit of the error, two where the first is a 1. Without one, a few digits of the largest number.
int ContributionText::decimals(double error) const {
  const int most = kDigits - 1 - (largest_ > 0 ? magnitude(largest_) : 0);
  if (!(error > 0)) return std::isnan(error) ? most - 2 : most;
  const int first = magnitude(error);
  return std::min(most, error < 1.95 * std::pow(10.0, first) ? 1 - first : -first);
}

std::string ContributionText::contribution_text(const Uncertain& one) const {
  const std::string text = fixed(one.value, decimals(one.error));
  return one.value < 0 ? text : "+" + text;
}

std::string ContributionText::level_text(double value) const { return fixed(value, most_decimals_); }

void ContributionText::make_room(const std::string& number) {
  before_ = std::max(before_, point(number));
  after_ = std::max(after_, number.size() - point(number));
}

std::string ContributionText::field(const std::string& number, const std::string& error) const {
  const bool heading = number.find_first_of("0123456789") == number.npos;
  std::string text =
      heading ? fmt::format("{:>{}}", number, before_ + after_)
              : fmt::format("{:{}}{:{}}", "", before_ - point(number), number, point(number) + after_);
  if (any_error_) text += fmt::format("{}{:{}}", error.empty() ? "   " : " ± ", error, error_width_);
  return text;
}

std::string ContributionText::contribution(const Uncertain& one) const {
  const std::string error = std::isnan(one.error) ? "?" : fixed(one.error, decimals(one.error));
  return field(contribution_text(one), error);
}

std::string ContributionText::bar(const Uncertain& one) const {
  const double reach = reach_ > 0 ? reach_ : 1, range = one.error > 0 ? 2 * one.error : 0;
  const double low = std::isnan(one.error) ? std::min(one.value, 0.0) : one.value - range;
  const double high = std::isnan(one.error) ? std::max(one.value, 0.0) : one.value + range;
  std::string text;
  const std::vector<const char*> left = half(-high, -low, reach), right = half(low, high, reach);
  std::for_each(left.rbegin(), left.rend(), [&](const char* one_cell) { text += one_cell; });
  text += "│";
  for (const char* one_cell : right) text += one_cell;
  return text;
}

}  // namespace mirrorball::cli
