#include "base/cores.h"
#include "bind.h"
#include "mirrorball/machine.h"
#include "mirrorball/version.h"

namespace {

void translate_file_error(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const mirrorball::binding::FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace mirrorball::binding;
  module.attr("__version__") = MIRRORBALL_VERSION;
  nb::register_exception_translator(translate_file_error);
  module.def(
      "machine",
      [] {
        const mirrorball::Machine machine = mirrorball::machine();
        nb::dict dict;
        dict["cpu_level"] = machine.cpu_level;
        dict["gemm"] = machine.gemm;
        dict["cores"] = machine.cores;
        return dict;
      },
      "What runs on this machine: instruction set, matrix products, cores.");
  module.def("cores", &mirrorball::cores, "The cores this process may use: affinity and CPU quotas count.");
  bind_options(module);
  bind_table(module);
  bind_predictive(module);
  bind_schema(module);
  bind_model(module);
  bind_scores(module);
  bind_laws(module);
  bind_explain(module);
}
