#include "mirrorball/predictive.h"

#include <algorithm>

#include "mirrorball/score.h"
#include "rows.h"

namespace mirrorball::binding {
namespace {

/// One number per row and target, of shape rows x targets.
template <class Value>
void per_target(const Predictive& draws, unsigned threads, Out out, const Value& value) {
  const std::size_t targets = draws.targets();
  for_rows(draws.rows(), threads, [&](std::size_t row) {
    for (std::size_t t = 0; t < targets; ++t) out[row * targets + t] = value(row, t);
  });
}

void check_shape(const Predictive& draws, std::size_t rows, std::size_t targets) {
  if (rows != draws.rows() || targets != draws.targets())
    throw std::invalid_argument("y has " + std::to_string(rows) + " rows of " + std::to_string(targets) +
                                " values, the forecast " + std::to_string(draws.rows()) + " of " +
                                std::to_string(draws.targets()));
}

/// Draws of Python's, rows x samples x targets, with the steps of each axis in values.
struct Cube {
  const double* first;
  std::size_t rows, samples, targets;
  std::ptrdiff_t row_step, sample_step, target_step;
};

Predictive predictive_of(const Cube& cube, const std::vector<std::string>& names) {
  if (cube.targets != names.size())
    throw std::invalid_argument("the draws have " + std::to_string(cube.targets) +
                                " targets, and there are " + std::to_string(names.size()) + " names of them");
  Predictive made(cube.rows, cube.samples, names);
  for (std::size_t row = 0; row < cube.rows; ++row)
    for (std::size_t t = 0; t < cube.targets; ++t) {
      const double* from = cube.first + static_cast<std::ptrdiff_t>(row) * cube.row_step +
                           static_cast<std::ptrdiff_t>(t) * cube.target_step;
      for (double& value : made.row_samples(row, t)) {
        value = *from;
        from += cube.sample_step;
      }
    }
  return made;
}

}  // namespace

MIRRORBALL_BORDER Failure* mirrorball_predictive_new(const Cube* cube, Texts names, Predictive** out) {
  return guarded([&] { *out = new Predictive(predictive_of(*cube, names.list())); });
}

MIRRORBALL_BORDER void mirrorball_predictive_free(Predictive* draws) { delete draws; }

/// The draws where they lie: for each row, for each target, all samples.
MIRRORBALL_BORDER double* mirrorball_predictive_draws(Predictive* draws, std::size_t* rows,
                                                      std::size_t* samples, std::size_t* targets) {
  *rows = draws->rows();
  *samples = draws->samples();
  *targets = draws->targets();
  return *rows * *samples * *targets > 0 ? draws->row_samples(0, 0).data() : nullptr;
}

MIRRORBALL_BORDER Failure* mirrorball_predictive_names(const Predictive* draws, std::string** out) {
  return guarded([&] { give(Json(draws->target_names()), out); });
}

/// low and high of each target; infinite where nothing limits its samples.
MIRRORBALL_BORDER void mirrorball_predictive_limits(const Predictive* draws, Out out) {
  for (std::size_t t = 0; t < draws->targets(); ++t) {
    out[2 * t] = draws->limits(t).low;
    out[2 * t + 1] = draws->limits(t).high;
  }
}

MIRRORBALL_BORDER Failure* mirrorball_predictive_set_limits(Predictive* draws, In limits) {
  return guarded([&] {
    for (std::size_t t = 0; t < draws->targets(); ++t)
      draws->set_limits(t, {limits[2 * t], limits[2 * t + 1]});
  });
}

/// Where each sample comes from, so many numbers as there are samples. Returns 0 where that is not known.
MIRRORBALL_BORDER int mirrorball_predictive_sources(const Predictive* draws, std::uint32_t* out) {
  std::ranges::copy(draws->sources(), out);
  return draws->sources().empty() ? 0 : 1;
}

MIRRORBALL_BORDER Failure* mirrorball_predictive_set_sources(Predictive* draws, const std::uint32_t* sources,
                                                             std::size_t count) {
  return guarded([&] { draws->set_sources({sources, sources + count}); });
}

/// The density of a row as it is drawn, from `low` to `high`.
MIRRORBALL_BORDER Failure* mirrorball_predictive_shape(const Predictive* draws, std::size_t row,
                                                       std::size_t target, double low, double high,
                                                       std::size_t points, std::string** out) {
  return guarded([&] {
    const Density shape = draws->shape(row, target);
    const Density::Curve curve = shape.curve(low, high, points);
    Json spikes = Json::array();
    for (const Spike& spike : shape.spikes()) spikes.push_back({spike.value, spike.share});
    give({{"x", curve.x},
          {"y", curve.y},
          {"spikes", spikes},
          {"spike_width", curve.spike_width},
          {"bars", shape.bars()},
          {"bandwidth", shape.bandwidth()},
          {"limits", {shape.limits().low, shape.limits().high}}},
         out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_predictive_mean(const Predictive* draws, unsigned threads, Out out) {
  return guarded([&] {
    per_target(*draws, threads, out, [&](std::size_t row, std::size_t t) { return draws->mean(row, t); });
  });
}

MIRRORBALL_BORDER Failure* mirrorball_predictive_sd(const Predictive* draws, unsigned threads, Out out) {
  return guarded([&] {
    per_target(*draws, threads, out, [&](std::size_t row, std::size_t t) { return draws->sd(row, t); });
  });
}

/// rows x targets x 6: of the variance and then of the expected CRPS total, aleatoric and epistemic part.
MIRRORBALL_BORDER Failure* mirrorball_predictive_uncertainty(const Predictive* draws, unsigned threads,
                                                             Out out) {
  return guarded([&] {
    const std::size_t targets = draws->targets();
    for_rows(draws->rows(), threads, [&](std::size_t row) {
      for (std::size_t t = 0; t < targets; ++t) {
        const Uncertainty found = draws->uncertainty(row, t);
        double* to = out + (row * targets + t) * 6;
        for (const UncertaintyParts& parts : {found.variance, found.expected_crps})
          for (const double part : {parts.total, parts.aleatoric, parts.epistemic}) *to++ = part;
      }
    });
  });
}

/// rows x levels x targets
MIRRORBALL_BORDER Failure* mirrorball_predictive_quantiles(const Predictive* draws, In levels,
                                                           std::size_t count, unsigned threads, Out out) {
  return guarded([&] {
    const std::size_t targets = draws->targets();
    for_rows(draws->rows(), threads, [&](std::size_t row) {
      for (std::size_t t = 0; t < targets; ++t) {
        const std::vector<double> values = draws->quantiles({levels, count}, row, t);
        for (std::size_t i = 0; i < count; ++i) out[(row * count + i) * targets + t] = values[i];
      }
    });
  });
}

/// y and out: rows x points x targets
MIRRORBALL_BORDER Failure* mirrorball_predictive_cdf(const Predictive* draws, In y, std::size_t rows,
                                                     std::size_t points, std::size_t targets,
                                                     unsigned threads, Out out) {
  return guarded([&] {
    check_shape(*draws, rows, targets);
    for_rows(rows, threads, [&](std::size_t row) {
      for (std::size_t i = 0; i < points; ++i)
        for (std::size_t t = 0; t < targets; ++t) {
          const std::size_t at = (row * points + i) * targets + t;
          out[at] = draws->cdf(y[at], row, t);
        }
    });
  });
}

/// y: rows x points x targets; out: rows x points
MIRRORBALL_BORDER Failure* mirrorball_predictive_log_density(const Predictive* draws, In y, std::size_t rows,
                                                             std::size_t points, std::size_t targets,
                                                             unsigned threads, Out out) {
  return guarded([&] {
    check_shape(*draws, rows, targets);
    for_rows(rows, threads, [&](std::size_t row) {
      const std::vector<double> joint = draws->joint_samples(row);
      for (std::size_t i = 0; i < points; ++i)
        out[row * points + i] = -kde_nll(joint, {y + (row * points + i) * targets, targets});
    });
  });
}

/// y and out: rows x targets
MIRRORBALL_BORDER Failure* mirrorball_predictive_crps(const Predictive* draws, In y, std::size_t rows,
                                                      std::size_t targets, int fair, unsigned threads,
                                                      Out out) {
  return guarded([&] {
    check_shape(*draws, rows, targets);
    per_target(*draws, threads, out, [&](std::size_t row, std::size_t t) {
      return crps(draws->row_samples(row, t), y[row * targets + t], fair != 0);
    });
  });
}

/// y: rows x targets; out: one number a row
MIRRORBALL_BORDER Failure* mirrorball_predictive_energy_score(const Predictive* draws, In y, std::size_t rows,
                                                              std::size_t targets, int fair, unsigned threads,
                                                              Out out) {
  return guarded([&] {
    check_shape(*draws, rows, targets);
    for_rows(rows, threads, [&](std::size_t row) {
      out[row] = energy_score(draws->joint_samples(row), {y + row * targets, targets}, fair != 0);
    });
  });
}

/// One number a row.
MIRRORBALL_BORDER Failure* mirrorball_predictive_probability(const Predictive* draws, Text region,
                                                             unsigned threads, Out out) {
  return guarded([&] {
    const Region inside = Region::parse(region.view(), draws->target_names());
    for_rows(draws->rows(), threads, [&](std::size_t row) { out[row] = draws->probability(row, inside); });
  });
}

MIRRORBALL_BORDER std::size_t mirrorball_summary_samples() { return kSummarySamples; }

}  // namespace mirrorball::binding
