#include "laws/known_law.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "score/forecast.h"

namespace mirrorball::laws {
namespace {

/// A number as it reads when it is written in single precision: nobody needs 17 digits of a made-up one.
double short_number(double value) {
  char text[32];
  const char* end = fmt::format_to(text, "{}", static_cast<float>(value));
  fast_float::from_chars(text, end, value);
  return value;
}

// Grid points computed from low() and high() may miss an end by rounding.
constexpr double kSlack = 1e-9;

const std::vector<const KnownLaw*>& all_laws() {
  static const std::vector<const KnownLaw*> laws = {&unimodal_law(), &crossing_law(), &squares_law(),
                                                    &arcs_law()};
  return laws;
}

}  // namespace

void check_joint_draws(std::span<const double> draws, std::size_t targets) {
  if (draws.empty() || draws.size() % targets != 0)
    bad_input("{} numbers are not a whole number of samples of {} values each", draws.size(), targets);
  scoring::check_finite("number", draws);
}

std::vector<double> KnownLaw::columns(std::size_t rows, std::uint64_t seed) const {
  if (rows == 0) bad_input("0 rows of '{}': use at least 1", name());
  std::vector<double> values(rows * (1 + target_names().size()));
  for (std::size_t i = 0; i < rows; ++i) row(i, rows, seed, values.data() + i);
  return values;
}

Table KnownLaw::data(std::size_t rows, std::uint64_t seed) const {
  std::vector<double> values = columns(rows, seed);
  for (double& value : values) value = short_number(value);
  std::vector<std::string> column_names = target_names();
  column_names.insert(column_names.begin(), "x");
  Table table;
  for (std::size_t k = 0; k < column_names.size(); ++k)
    table.add_numbers(column_names[k], std::span(values).subspan(k * rows, rows));
  return table;
}

std::vector<double> KnownLaw::positions(std::size_t count) const {
  std::vector<double> found;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double x = low() + share * (high() - low());
    if (defined_at(x)) found.push_back(x);
  }
  return found;
}

bool KnownLaw::defined_at(double x) const { return x >= low() - kSlack && x <= high() + kSlack; }

std::string KnownLaw::domain() const { return fmt::format("{:.6g} <= x <= {:.6g}", low(), high()); }

void KnownLaw::check_x(double x) const {
  if (!defined_at(x))
    bad_input("x = {} is outside the domain of '{}': it is defined for {}", x, name(), domain());
}

void KnownLaw::check_y(std::span<const double> y) const {
  if (y.size() != target_names().size())
    bad_input("y has {} values, but the distribution '{}' has {} targets", y.size(), name(),
              target_names().size());
  for (const double value : y)
    if (std::isnan(value)) bad_input("y is {}: give a number", value);
}

double KnownLaw::density(double x, std::span<const double> y) const {
  check_x(x);
  check_y(y);
  return density_at(x, y);
}

double KnownLaw::cdf(double x, std::span<const double> y) const {
  check_x(x);
  check_y(y);
  return cdf_at(x, y);
}

std::vector<double> KnownLaw::sample(std::span<const double> x, std::size_t count, std::uint64_t seed) const {
  const std::size_t targets = target_names().size();
  std::vector<double> draws(x.size() * count * targets);
  double* out = draws.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    check_x(x[i]);
    Stream stream(seed, Purpose::kLaw, static_cast<std::uint32_t>(i));
    for (std::size_t k = 0; k < count; ++k, out += targets) draw(x[i], stream, out);
  }
  return draws;
}

Distances KnownLaw::distances(double x, std::span<const double> draws) const {
  check_x(x);
  check_joint_draws(draws, target_names().size());
  return distances_at(x, draws);
}

}  // namespace mirrorball::laws

namespace mirrorball {

const std::vector<std::string>& Law::names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const laws::KnownLaw* law : laws::all_laws()) list.push_back(law->name());
    return list;
  }();
  return names;
}

const Law& Law::named(std::string_view name) {
  for (const laws::KnownLaw* law : laws::all_laws())
    if (law->name() == name) return *law;
  bad_input("unknown distribution '{}'{} (available: {})", name, did_you_mean(name, names()),
            listing(names()));
}

}  // namespace mirrorball
