#include "mirrorball/predictive.h"

#include "mirrorball/score.h"
#include "rows.h"

namespace mirrorball::binding {
namespace {

/// One number per row and target, of shape rows x targets.
template <class Value>
Array per_target(const Predictive& draws, unsigned threads, const Value& value) {
  const std::size_t targets = draws.targets();
  std::vector<double> out(draws.rows() * targets);
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    for (std::size_t t = 0; t < targets; ++t) out[row * targets + t] = value(row, t);
  });
  return array_of(std::move(out), {draws.rows(), targets});
}

void check_shape(const Predictive& draws, std::size_t rows, std::size_t targets) {
  if (rows != draws.rows() || targets != draws.targets())
    throw std::invalid_argument("y has " + std::to_string(rows) + " rows of " + std::to_string(targets) +
                                " values, the forecast " + std::to_string(draws.rows()) + " of " +
                                std::to_string(draws.targets()));
}

void make(Predictive* made, const nb::ndarray<const double, nb::ndim<3>, nb::device::cpu>& draws,
          const std::vector<std::string>& names) {
  if (draws.shape(2) != names.size())
    throw std::invalid_argument("the draws have " + std::to_string(draws.shape(2)) +
                                " targets, and there are " + std::to_string(names.size()) + " names of them");
  new (made) Predictive(draws.shape(0), draws.shape(1), names);
  const auto view = draws.view();
  for (std::size_t row = 0; row < view.shape(0); ++row)
    for (std::size_t t = 0; t < view.shape(2); ++t) {
      const std::span<double> own = made->draws(row, t);
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = view(row, i, t);
    }
}

/// Without a copy: the array keeps its owner alive.
nb::ndarray<nb::numpy, double, nb::ndim<3>> all_draws(nb::handle_t<Predictive> self) {
  auto& draws = nb::cast<Predictive&>(self);
  const auto samples = static_cast<std::int64_t>(draws.samples()),
             targets = static_cast<std::int64_t>(draws.targets());
  double* first = draws.rows() * draws.samples() * draws.targets() > 0 ? draws.draws(0, 0).data() : nullptr;
  return {first, {draws.rows(), draws.samples(), draws.targets()}, self, {samples * targets, 1, samples}};
}

Array quantiles(const Predictive& draws, const std::vector<double>& levels, unsigned threads) {
  const std::size_t targets = draws.targets();
  std::vector<double> out(draws.rows() * levels.size() * targets);
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    for (std::size_t t = 0; t < targets; ++t) {
      const std::vector<double> values = draws.quantiles(levels, row, t);
      for (std::size_t i = 0; i < values.size(); ++i)
        out[(row * levels.size() + i) * targets + t] = values[i];
    }
  });
  return array_of(std::move(out), {draws.rows(), levels.size(), targets});
}

Array cdf(const Predictive& draws, const In<3>& y, unsigned threads) {
  check_shape(draws, y.shape(0), y.shape(2));
  const std::size_t points = y.shape(1), targets = draws.targets();
  std::vector<double> out(draws.rows() * points * targets);
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    for (std::size_t i = 0; i < points; ++i)
      for (std::size_t t = 0; t < targets; ++t) {
        const std::size_t at = (row * points + i) * targets + t;
        out[at] = draws.cdf(y.data()[at], row, t);
      }
  });
  return array_of(std::move(out), {draws.rows(), points, targets});
}

Array log_density(const Predictive& draws, const In<3>& y, unsigned threads) {
  check_shape(draws, y.shape(0), y.shape(2));
  const std::size_t points = y.shape(1), targets = draws.targets();
  std::vector<double> out(draws.rows() * points);
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    const std::vector<double> joint = draws.joint_draws(row);
    for (std::size_t i = 0; i < points; ++i)
      out[row * points + i] = -kde_nll(joint, {y.data() + (row * points + i) * targets, targets});
  });
  return array_of(std::move(out), {draws.rows(), points});
}

Array row_crps(const Predictive& draws, const In<2>& y, bool fair, unsigned threads) {
  check_shape(draws, y.shape(0), y.shape(1));
  return per_target(draws, threads, [&](std::size_t row, std::size_t t) {
    return crps(draws.draws(row, t), y.data()[row * draws.targets() + t], fair);
  });
}

Array row_energy_score(const Predictive& draws, const In<2>& y, bool fair, unsigned threads) {
  check_shape(draws, y.shape(0), y.shape(1));
  const std::size_t targets = draws.targets();
  std::vector<double> out(draws.rows());
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    out[row] = energy_score(draws.joint_draws(row), {y.data() + row * targets, targets}, fair);
  });
  return array_of(std::move(out), {draws.rows()});
}

Array probability(const Predictive& draws, const std::string& region, unsigned threads) {
  const Region inside = Region::parse(region, draws.target_names());
  std::vector<double> out(draws.rows());
  for_rows(draws.rows(), threads, [&](std::size_t row) { out[row] = draws.probability(row, inside); });
  return array_of(std::move(out), {draws.rows()});
}

}  // namespace

void bind_predictive(nb::module_& module) {
  module.attr("SUMMARY_SAMPLES") = kSummarySamples;
  module.attr("SCORE_SAMPLES") = kScoreSamples;

  nb::class_<Predictive>(module, "Predictive", "Draws from p(y | x) for some rows, and what draws answer.")
      .def("__init__", &make, nb::arg("draws"), nb::arg("target_names"),
           "Of draws of shape rows x samples x targets.")
      .def_prop_ro("target_names", &Predictive::target_names)
      .def_prop_ro("draws", &all_draws, "The draws, rows x samples x targets, without a copy.")
      .def(
          "mean",
          [](const Predictive& draws, unsigned threads) {
            return per_target(draws, threads,
                              [&](std::size_t row, std::size_t t) { return draws.mean(row, t); });
          },
          nb::arg("threads") = 0, "rows x targets")
      .def(
          "sd",
          [](const Predictive& draws, unsigned threads) {
            return per_target(draws, threads,
                              [&](std::size_t row, std::size_t t) { return draws.sd(row, t); });
          },
          nb::arg("threads") = 0, "rows x targets")
      .def("quantiles", &quantiles, nb::arg("levels"), nb::arg("threads") = 0, "rows x levels x targets")
      .def("cdf", &cdf, nb::arg("y"), nb::arg("threads") = 0,
           "Of points y, rows x points x targets, target by target; the same shape.")
      .def("log_density", &log_density, nb::arg("y"), nb::arg("threads") = 0,
           "Of the joint kernel density at points y, rows x points x targets; rows x points.")
      .def("crps", &row_crps, nb::arg("y"), nb::arg("fair") = false, nb::arg("threads") = 0,
           "Of values y, rows x targets; the same shape.")
      .def("energy_score", &row_energy_score, nb::arg("y"), nb::arg("fair") = false, nb::arg("threads") = 0,
           "Of values y, rows x targets; one number a row.")
      .def("probability", &probability, nb::arg("region"), nb::arg("threads") = 0,
           "Share of draws in a region given as text, as y1 > 0.2 and y2 <= 3; one number a row.");
}

}  // namespace mirrorball::binding
