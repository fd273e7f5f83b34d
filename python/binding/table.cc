#include "mirrorball/table.h"

#include <sstream>

#include "bind.h"

namespace mirrorball::binding {
namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Typed columns of equal length.")
      .def(nb::init<>())
      .def(
          "add_numbers",
          [](Table& table, const std::string& name, nb::ndarray<const double, nb::ndim<1>, nb::c_contig> values) {
            table.add_numbers(name, {values.data(), values.shape(0)});
          },
          nb::arg("name"), nb::arg("values"), "Adds a column of numbers; NaN is a gap.")
      .def(
          "add_texts",
          [](Table& table, const std::string& name, const std::vector<std::string>& values) {
            table.add_categories(name, values);
          },
          nb::arg("name"), nb::arg("values"), "Adds a column of categories, one text per row; \"\" is a gap.")
      .def_prop_ro("rows", &Table::rows)
      .def_prop_ro("names", &Table::names)
      .def("__len__", &Table::rows);
}

}  // namespace mirrorball::binding
