#include "mirrorball/predictive.h"

#include "bind.h"

namespace mirrorball::binding {

void bind_predictive(nb::module_& module) {
  nb::class_<Predictive>(module, "Predictive", "Draws from p(y | x) for some rows, and what draws answer.")
      .def_prop_ro("rows", &Predictive::rows)
      .def_prop_ro("samples", &Predictive::samples)
      .def_prop_ro("targets", &Predictive::targets)
      .def_prop_ro("target_names", &Predictive::target_names)
      .def_prop_ro(
          "draws",
          [](nb::handle_t<Predictive> self) {
            auto& draws = nb::cast<Predictive&>(self);
            double* first = draws.rows() * draws.samples() ? draws.draws(0, 0).data() : nullptr;
            const auto samples = static_cast<std::int64_t>(draws.samples());
            const auto targets = static_cast<std::int64_t>(draws.targets());
            return nb::ndarray<nb::numpy, double, nb::ndim<3>>(first, {draws.rows(), draws.samples(), draws.targets()}, self,
                                                  {samples * targets, 1, samples});
          },
          "The draws as an array of rows x samples x targets, without a copy.");
}

}  // namespace mirrorball::binding
