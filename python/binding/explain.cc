#include "mirrorball/explain.h"

#include "bind.h"

namespace mirrorball::binding {
namespace {

Explanation explain_rows(const Model& model, const Table& table, const Table& background,
                         const std::string& of, const std::string& where, const std::string& target,
                         std::size_t samples, std::uint64_t seed, unsigned threads, bool calibrated,
                         std::size_t background_rows, std::size_t coalitions, const nb::object& progress) {
  ExplainOptions options;
  options.of = Functional::parse(of);
  if (!where.empty()) options.where = Region::parse(where, model.targets());
  options.target = target;
  options.draws = {samples, seed, threads, calibrated};
  options.background_rows = background_rows;
  options.coalitions = coalitions;
  options.progress = [&](double share) {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(share);
  };
  std::vector<std::size_t> rows(table.rows());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
  const nb::gil_scoped_release unlocked;
  return explain(model, table, rows, background, options);
}

}  // namespace

void bind_explain(nb::module_& module) {
  nb::class_<Explanation>(module, "Explanation", "Shapley values of some rows.")
      .def_ro("features", &Explanation::features)
      .def_ro("cells", &Explanation::cells, "What stands in the table, rows x features; empty for a gap.")
      .def_ro("background", &Explanation::background, "Rows of the background that were used.")
      .def_ro("exact", &Explanation::exact)
      .def_ro("coalitions", &Explanation::coalitions)
      .def("values",
           [](const Explanation& self) {
             return array_of(self.values, {self.rows.size(), self.features.size()});
           })
      .def("base", [](const Explanation& self) { return array_of(self.base, {self.base.size()}); })
      .def("output", [](const Explanation& self) { return array_of(self.output, {self.output.size()}); })
      .def("probability",
           [](const Explanation& self) { return array_of(self.probability, {self.probability.size()}); });
  module.def("explain", &explain_rows, nb::arg("model"), nb::arg("table"), nb::arg("background"),
             nb::arg("of"), nb::arg("where"), nb::arg("target"), nb::arg("samples"), nb::arg("seed"),
             nb::arg("threads"), nb::arg("calibrated"), nb::arg("background_rows"), nb::arg("coalitions"),
             nb::arg("progress").none(),
             "Why a number that the draws give is what it is, in every row of a table.");
}

}  // namespace mirrorball::binding
