#include "model/make_schema.h"

#include <algorithm>
#include <cmath>

namespace mirrorball {
namespace {

void describe_number(const encode::NumberTransform& transform, ColumnSchema& column) {
  column.transform = transform.kind();
  column.knots = transform.knots();
  column.digits = transform.digits();
}

ColumnSchema feature_schema(const encode::Feature& feature) {
  ColumnSchema column;
  column.name = feature.name;
  column.type = feature.type;
  column.missing = feature.missing;
  if (feature.type == ColumnType::kNumber) {
    describe_number(feature.transform, column);
    column.median = feature.typical;
    column.dates = feature.dates;
    column.by_value = feature.plain.has_value();
    column.digits = feature.digits();
  } else {
    column.categories = feature.categories;
  }
  return column;
}

constexpr int kMostDecimals = 6;
constexpr double kMostKnots = 0.8;  ///< a few knots lie between two values

bool is_whole(double value) { return std::fabs(value - std::nearbyint(value)) <= 1e-6 * std::fabs(value); }

/// The value that most knots have, all of which lie side by side. It shows nothing of the decimals: a column
/// of amounts, most of them 0, is not one of whole numbers.
double most_frequent(const std::vector<double>& knots) {
  double value = knots.front();
  std::size_t most = 0;
  for (std::size_t i = 0, same = 0; i < knots.size(); ++i) {
    same = i > 0 && knots[i] == knots[i - 1] ? same + 1 : 1;
    if (same > most) most = same, value = knots[i];
  }
  return value;
}

}  // namespace

Schema model::schema_of(const encode::Encoder& encoder, std::span<const std::string> targets,
                        std::span<const encode::NumberTransform> transforms) {
  Schema schema;
  for (const encode::Feature& feature : encoder.features())
    schema.features.push_back(feature_schema(feature));
  for (std::size_t t = 0; t < targets.size(); ++t) {
    ColumnSchema column;
    column.name = targets[t];
    describe_number(transforms[t], column);
    column.median = column.training_quantile(0.5);
    schema.targets.push_back(std::move(column));
  }
  return schema;
}

double ColumnSchema::training_quantile(double probability) const {
  return encode::training_quantile(transform, knots, probability);
}

Limits ColumnSchema::limits() const {
  if (has_quantiles()) return {knots.front(), knots.back()};
  return knots[1] == 0 ? Limits{knots[0], knots[0]} : Limits{};
}

Atoms ColumnSchema::atoms() const { return has_quantiles() ? Atoms(knots) : Atoms(); }

std::optional<int> ColumnSchema::decimals() const {
  if (!has_quantiles()) return std::nullopt;
  const double usual = most_frequent(knots);
  double scale = 1;
  for (int found = 0; found <= kMostDecimals; ++found, scale *= 10) {
    if (!is_whole(scale * knots.front()) || !is_whole(scale * knots.back())) continue;
    std::size_t others = 0, whole = 0;
    for (double knot : knots)
      if (knot != usual) ++others, whole += is_whole(scale * knot) ? 1 : 0;
    if (static_cast<double>(whole) >= kMostKnots * static_cast<double>(others)) return found;
  }
  return std::nullopt;
}

double ColumnSchema::rounded(double value) const { return encode::rounded_to(digits, value); }

const ColumnSchema* Schema::find_feature(std::string_view name) const {
  const auto found = std::find_if(features.begin(), features.end(),
                                  [&](const ColumnSchema& one) { return one.name == name; });
  return found == features.end() ? nullptr : &*found;
}

}  // namespace mirrorball
