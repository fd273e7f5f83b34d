#include "mirrorball/model.h"

#include <functional>
#include <optional>

#include "bind.h"

namespace mirrorball::binding {

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted model: immutable, safe to use from several threads.")
      .def_prop_ro("targets", &Model::targets)
      .def_prop_ro("features", &Model::features)
      .def(
          "predict",
          [](const Model& model, const Table& table, std::size_t begin, std::size_t end, std::size_t samples,
             std::uint64_t seed, unsigned threads, bool calibrated) {
            return model.predict(table, begin, end, {samples, seed, threads, calibrated});
          },
          nb::arg("table"), nb::arg("begin"), nb::arg("end"), nb::arg("samples") = 500, nb::arg("seed") = 0,
          nb::arg("threads") = 0, nb::arg("calibrated") = true, nb::call_guard<nb::gil_scoped_release>(),
          "Draws for rows [begin, end) of a table.");
  module.def(
      "fit",
      [](Table& train, const std::vector<std::string>& targets, const Options& options) {
        return fit(std::move(train), {targets, "", {}}, options);
      },
      nb::arg("train"), nb::arg("targets"), nb::arg("options"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace mirrorball::binding
