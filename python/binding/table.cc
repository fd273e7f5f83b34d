#include "mirrorball/table.h"

#include "bind.h"
#include "table/arrow_abi.h"

namespace mirrorball::binding {
namespace {

/// A column of any layout: a slice of a matrix is taken without a copy.
template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;

template <class T>
Strided<T> strided(const Values<T>& values) {
  return {values.data(), values.shape(0), static_cast<std::ptrdiff_t>(values.stride(0))};
}

template <class T>
T& in_capsule(const nb::capsule& capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule.ptr(), name))
    throw std::invalid_argument(std::string("this is no capsule of the kind ") + name);
  return *static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
}

Table from_stream(const nb::capsule& stream, const std::vector<std::string>& categories) {
  return Table::from_arrow(in_capsule<ArrowArrayStream>(stream, "arrow_array_stream"), categories);
}

Table from_array(const nb::capsule& schema, const nb::capsule& array,
                 const std::vector<std::string>& categories) {
  return Table::from_arrow(in_capsule<ArrowSchema>(schema, "arrow_schema"),
                           in_capsule<ArrowArray>(array, "arrow_array"), categories);
}

Array numbers(const Table& table, const std::string& name) {
  std::vector<double> values(table.rows());
  table.copy_numbers(table.column(name), 0, values.size(), values.data());
  return array_of(std::move(values), {table.rows()});
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Typed columns of equal length: what a model is fitted to.")
      .def(nb::init<>())
      .def_static("from_arrow_stream", &from_stream, nb::arg("stream"), nb::arg("categories"),
                  "Takes over what __arrow_c_stream__ gives; numbers in `categories` become categories.")
      .def_static("from_arrow_array", &from_array, nb::arg("schema"), nb::arg("array"), nb::arg("categories"),
                  "Takes over what __arrow_c_array__ gives.")
      .def_static(
          "read",
          [](const std::string& path, const std::vector<std::string>& categories) {
            ReadOptions read;
            read.categories = categories;
            return with_files([&] { return Table::read(path, read); });
          },
          nb::arg("path"), nb::arg("categories") = std::vector<std::string>(),
          nb::call_guard<nb::gil_scoped_release>(), "Reads CSV, CSV.gz or ARFF.")
      .def(
          "add_numbers",
          [](Table& table, const std::string& name, const Values<double>& values) {
            table.add_numbers(name, strided(values));
          },
          nb::arg("name"), nb::arg("values").noconvert(), "Adds a column of numbers; NaN is a gap.")
      .def(
          "add_numbers",
          [](Table& table, const std::string& name, const Values<float>& values) {
            table.add_numbers(name, strided(values));
          },
          nb::arg("name"), nb::arg("values").noconvert())
      .def(
          "add_number_levels",
          [](Table& table, const std::string& name, const Values<double>& values) {
            table.add_categories(name, strided(values));
          },
          nb::arg("name"), nb::arg("values"), "Adds numbers as categories; NaN is a gap.")
      .def(
          "add_codes",
          [](Table& table, const std::string& name,
             const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& codes,
             const std::vector<std::string>& levels) {
            table.add_categories(name, {codes.data(), codes.shape(0)}, levels);
          },
          nb::arg("name"), nb::arg("codes"), nb::arg("levels"),
          "Adds a column of categories by codes into levels; a negative code is a gap.")
      .def(
          "add_texts",
          [](Table& table, const std::string& name, const std::vector<std::string>& texts) {
            table.add_categories(name, texts);
          },
          nb::arg("name"), nb::arg("texts"), "Adds a column of categories, one text a row; \"\" is a gap.")
      .def_prop_ro("names", &Table::names)
      .def(
          "set_names", [](Table& table, const std::vector<std::string>& names) { table.set_names(names); },
          nb::arg("names"), "Gives the columns other names, in their order.")
      .def(
          "set_dates", [](Table& table, const std::string& name) { table.set_dates(table.column(name)); },
          nb::arg("name"), "Says that a column of numbers holds dates, as seconds since 1970.")
      .def(
          "is_category",
          [](const Table& table, const std::string& name) {
            return table.type(table.column(name)) == ColumnType::kCategory;
          },
          nb::arg("name"))
      .def("numbers", &numbers, nb::arg("name"), "A copy of a column of numbers, as it is kept.")
      .def(
          "levels",
          [](const Table& table, const std::string& name) { return table.categories(table.column(name)); },
          nb::arg("name"), "The levels of a column of categories, in order of first appearance.")
      .def("__len__", &Table::rows);
}

}  // namespace mirrorball::binding
