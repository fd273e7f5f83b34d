#include "mirrorball/options.h"

#include <nanobind/stl/map.h>

#include "bind.h"

namespace mirrorball::binding {
namespace {

nb::object value_of(const Options& options, const OptionInfo& info) {
  const std::string text = get_option(options, info.name);
  if (info.kind == "integer") return nb::int_(nb::str(text.c_str()));
  if (info.kind == "number") return nb::float_(nb::str(text.c_str()));
  if (info.kind == "switch") return nb::bool_(text == "true");
  return nb::str(text.c_str());
}

nb::dict values_of(const Options& options) {
  nb::dict dict;
  for (const OptionInfo& info : option_list()) dict[info.name.c_str()] = value_of(options, info);
  return dict;
}

}  // namespace

void bind_options(nb::module_& module) {
  nb::class_<OptionInfo>(module, "OptionInfo", "One line of the table of options.")
      .def_ro("name", &OptionInfo::name)
      .def_ro("group", &OptionInfo::group)
      .def_ro("kind", &OptionInfo::kind, "'integer', 'number', 'switch' or 'choice'")
      .def_ro("help", &OptionInfo::help)
      .def_ro("choices", &OptionInfo::choices)
      .def_ro("low", &OptionInfo::low)
      .def_ro("high", &OptionInfo::high)
      .def_ro("expert", &OptionInfo::expert, "a knob for research, which few need");
  module.def("option_list", &option_list, "The one table of options.");
  module.def("preset_list", &preset_list, "The names of the presets.");
  module.def(
      "preset", [](const std::string& name) { return values_of(preset(name)); }, nb::arg("name"),
      "The options of a preset.");

  nb::class_<Options>(module, "Options", "Everything that decides a fit.")
      .def(
          "__init__", [](Options* made, const std::string& start) { new (made) Options(preset(start)); },
          nb::arg("preset") = "default")
      .def(
          "set",
          [](Options& options, const std::string& name, const std::string& value) {
            set_option(options, name, value);
          },
          nb::arg("name"), nb::arg("value"), "Sets one from its text; a bad value is a ValueError.")
      .def("values", &values_of, "All of them, by name.");
}

}  // namespace mirrorball::binding
