// The known laws of mirrorball/law.h.
#include "mirrorball/law.h"

#include <cstdint>
#include <stdexcept>

#include "rows.h"

namespace mirrorball::binding {
namespace {

using Pointwise = double (Law::*)(double, std::span<const double>) const;

/// One value per x and row of y.
template <Pointwise function>
Array at_points(const Law& law, const In<1>& x, const In<2>& y) {
  if (y.shape(0) != x.shape(0)) throw std::invalid_argument("x and y differ in length");
  std::vector<double> values(x.shape(0));
  for_rows(values.size(), 0, [&](std::size_t i) {
    values[i] = (law.*function)(x.data()[i], span_of(y).subspan(i * y.shape(1), y.shape(1)));
  });
  return array_of(std::move(values), {x.shape(0)});
}

/// rows × (x, targets).
Array data(const Law& law, std::size_t rows, std::uint64_t seed) {
  std::vector<double> values, column(rows);
  std::size_t columns;
  {
    const nb::gil_scoped_release released;
    const Table table = law.data(rows, seed);
    columns = table.columns();
    values.resize(rows * columns);
    for (std::size_t k = 0; k < columns; ++k) {
      table.copy_numbers(k, 0, rows, column.data());
      for (std::size_t i = 0; i < rows; ++i) values[i * columns + k] = column[i];
    }
  }
  return array_of(std::move(values), {rows, columns});
}

Array positions(const Law& law, std::size_t count) {
  std::vector<double> found = law.positions(count);
  const std::size_t size = found.size();
  return array_of(std::move(found), {size});
}

Array sample(const Law& law, const In<1>& x, std::size_t count, std::uint64_t seed) {
  std::vector<double> draws;
  {
    const nb::gil_scoped_release released;
    draws = law.sample(span_of(x), count, seed);
  }
  return array_of(std::move(draws), {x.shape(0), count, law.target_names().size()});
}

}  // namespace

void bind_laws(nb::module_& m) {
  nb::class_<Law>(m, "Law")
      .def_prop_ro("name", &Law::name)
      .def_prop_ro("target_names", &Law::target_names)
      .def_prop_ro("default_rows", &Law::default_rows)
      .def_prop_ro("low", &Law::low)
      .def_prop_ro("high", &Law::high)
      .def("positions", &positions, nb::arg("count"))
      .def("data", &data, nb::arg("rows"), nb::arg("seed"))
      .def("density", &at_points<&Law::density>, nb::arg("x"), nb::arg("y"))
      .def("cdf", &at_points<&Law::cdf>, nb::arg("x"), nb::arg("y"))
      .def("sample", &sample, nb::arg("x"), nb::arg("count"), nb::arg("seed"));
  m.def(
      "law", [](const std::string& name) -> const Law& { return Law::named(name); }, nb::arg("name"),
      nb::rv_policy::reference);
  m.def("law_names", &Law::names);
}

}  // namespace mirrorball::binding
