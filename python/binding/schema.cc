#include "mirrorball/schema.h"

#include "bind.h"
#include "mirrorball/model.h"

namespace mirrorball::binding {
namespace {

/// The word of the table of options.
std::string transform_word(const ColumnSchema& column) {
  Options options;
  options.input_transform = column.transform;
  return get_option(options, "input_transform");
}

}  // namespace

void bind_schema(nb::module_& module) {
  nb::class_<ColumnSchema>(module, "ColumnSchema", "One column of a model, as it was in training.")
      .def_ro("name", &ColumnSchema::name)
      .def_prop_ro(
          "kind", [](const ColumnSchema& column) { return column.is_number() ? "number" : "category"; },
          "'number' or 'category'")
      .def_ro("dates", &ColumnSchema::dates, "Whether the numbers are dates, in seconds since 1970.")
      .def_prop_ro(
          "transform",
          [](const ColumnSchema& column) {
            return column.is_number() ? std::optional(transform_word(column)) : std::nullopt;
          },
          "How a number is transformed; None for a category.")
      .def_ro("by_value", &ColumnSchema::by_value, "Whether it enters by its value as well as by its rank.")
      .def_ro("categories", &ColumnSchema::categories, "Those kept, most frequent first.")
      .def_ro("missing", &ColumnSchema::missing, "Whether training rows had missing values here.")
      .def_ro("median", &ColumnSchema::median)
      .def("training_quantile", &ColumnSchema::training_quantile, nb::arg("probability"),
           "The training value at a probability.")
      .def("__repr__", [](const ColumnSchema& column) {
        return "ColumnSchema(" + column.name + ", " + (column.is_number() ? "number)" : "category)");
      });

  nb::class_<Schema>(module, "Schema", "The features of a model in their order, and its targets.")
      .def_prop_ro("features", [](const Schema& schema) { return schema.features; })
      .def_prop_ro("targets", [](const Schema& schema) { return schema.targets; });

  nb::class_<Calibration>(module, "Calibration", "How the samples of one target are corrected.")
      .def_ro("forest_weight", &Calibration::forest_weight)
      .def_ro("spread", &Calibration::spread)
      .def_ro("tail_weight", &Calibration::tail_weight)
      .def_ro("tail_spread", &Calibration::tail_spread)
      .def_ro("interval", &Calibration::interval);
}

}  // namespace mirrorball::binding
