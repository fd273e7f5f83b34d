#include "model/make_schema.h"

#include <algorithm>

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

double ColumnSchema::rounded(double value) const { return encode::rounded_to(digits, value); }

const ColumnSchema* Schema::find_feature(std::string_view name) const {
  const auto found = std::find_if(features.begin(), features.end(),
                                  [&](const ColumnSchema& one) { return one.name == name; });
  return found == features.end() ? nullptr : &*found;
}

}  // namespace mirrorball
