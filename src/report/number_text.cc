#include "report/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/training_column.h"
#include "table/instant.h"

namespace mirrorball::report {
namespace {

constexpr std::size_t kListed = 4;   ///< names listed in one sentence
constexpr double kWideRange = 1000;  ///< numbers of a wider range have a comma from 1,000 on
constexpr double kMinute = 60, kDay = 86400;
constexpr std::size_t kToTheMinute = 16;  ///< characters of "2024-02-29 13:30"

std::string with_commas(std::string digits) {
  const std::size_t first = digits.starts_with("-") ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

/// Whole numbers that lie close together and far from 0 are names, such as postcodes: without commas.
bool is_name(const ColumnSchema& feature, double value) {
  if (feature.knots.empty()) return false;  // of no training table
  const TrainingColumn training(feature);
  return value == std::nearbyint(value) && value < 1e9 && training.low() >= 1e4 &&
         training.high() - training.low() < training.low();
}

}  // namespace

std::string with_minus(std::string digits) {
  return digits.starts_with("-") ? "\u2212" + digits.substr(1) : digits;
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", with_commas(std::to_string(count)), count == 1 ? one : many);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > kListed ? fmt::format("{} and {} more", text, names.size() - kListed) : text;
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value < 0) return "\u2212" + percent(-share);
  if (!(value > 0)) return "0%";
  if (value < 0.1) return "less than 0.1%";
  if (value < 100 && value > 99.9) return "more than 99.9%";
  const std::string text = fmt::format("{:.{}f}", value, value < 9.95 || (value > 80 && value < 100) ? 1 : 0);
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + "%";
}

std::string percent_change(double share) {
  const double size = std::fabs(100 * share);
  return size < 9.95 || (size >= 99.5 && size < 100) ? percent(share)
                                                     : with_minus(fmt::format("{:.0f}", 100 * share)) + "%";
}

std::string percent_with_decimal(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string plain(double value, double range) {
  const double size = std::fabs(value);
  // Four digits stand without a comma among their like, as on the pages: years look right.
  if (size >= 1000 && size < 1e4 && !(range > kWideRange)) return with_minus(fmt::format("{:.0f}", value));
  if (size >= 1000 && size < 1e9) return with_minus(with_commas(fmt::format("{:.0f}", value)));
  return with_minus(fmt::format("{:.{}g}", value, size >= 1 ? 4 : 3));
}

std::string on_range(double value, double range) {
  const double decimals = range > 0 ? 3 - std::ceil(std::log10(range)) : 2;
  if (std::fabs(value) >= 1000 || decimals > 6) return plain(value, range);
  return with_minus(fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(decimals))));
}

std::string estimate(double value, double range) {
  const double step = range > 0 ? std::pow(10.0, std::ceil(std::log10(range)) - 3) : 1;
  return step > 1 && std::isfinite(step) ? plain(step * std::round(value / step), range)
                                         : on_range(value, range);
}

double error_range(const ColumnSchema& target) {
  const TrainingColumn training(target);
  return (training.quantile(0.95) - training.quantile(0.05)) / 10;
}

std::string error_text(const ColumnSchema& target, double value) {
  const double range = error_range(target);
  return range > 1000 ? estimate(value, range) : plain(value);
}

std::string value_of(const ColumnSchema& feature, double value, double range) {
  const double span = feature.knots.empty() ? 0 : feature.span();  // of no training table
  if (!feature.dates)
    return is_name(feature, value) ? fmt::format("{:.0f}", value) : plain(value, std::max(span, range));
  if (table::told_by_the_day(span)) {
    const std::string text = table::instant_text(value, span);
    return text.substr(0, text.find(' '));
  }
  if (span < kDay) return table::instant_text(value, span);
  return table::instant_text(kMinute * std::nearbyint(value / kMinute), span).substr(0, kToTheMinute);
}

std::string range_of(const ColumnSchema& feature, double low, double high) {
  const bool as_they_are = feature.dates || (low == std::nearbyint(low) && high == std::nearbyint(high));
  const auto text = [&](double value) {
    return as_they_are ? value_of(feature, value, high - low) : on_range(value, high - low);
  };
  std::string from = text(low), to = text(high);
  const auto ends_in_zero = [](const std::string& one) {
    return one.ends_with('0') && one.find('.') != one.npos;
  };
  while (!as_they_are && ends_in_zero(from) && ends_in_zero(to)) {  // a decimal that neither needs
    for (std::string* one : {&from, &to}) {
      one->pop_back();
      if (one->ends_with('.')) one->pop_back();
    }
  }
  return fmt::format("{} to {}", from, to);
}

}  // namespace mirrorball::report
