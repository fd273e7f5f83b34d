#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <vector>

/// The border to Python, one register function per subject. There is no logic here: names, arrays and the
/// interpreter lock. std::invalid_argument becomes ValueError by itself.
namespace mirrorball::binding {

namespace nb = nanobind;

void bind_options(nb::module_& module);
void bind_table(nb::module_& module);
void bind_predictive(nb::module_& module);
void bind_schema(nb::module_& module);
void bind_model(nb::module_& module);
void bind_scores(nb::module_& module);
void bind_laws(nb::module_& module);
void bind_explain(nb::module_& module);

/// Arrays handed to Python own their memory.
using Array = nb::ndarray<nb::numpy, double>;

inline Array array_of(std::vector<double> values, std::initializer_list<std::size_t> shape) {
  auto* held = new std::vector<double>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Array(held->data(), shape, owner);
}

/// What goes wrong with a file: an OSError in Python.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Work>
auto with_files(Work work) {
  try {
    return work();
  } catch (const std::runtime_error& error) {
    throw FileError(error.what());
  }
}

}  // namespace mirrorball::binding
