#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "calibrate/calibration.h"
#include "encode/transform.h"

namespace mirrorball::calibrate {

/// Forecasts of rows that were not trained on, beside what came: one target, in transformed units.
struct HeldOut {
  /// Draws of all rows from one source, so many per row and ascending within a row; none where it has none.
  struct Draws {
    std::size_t count = 0;
    std::vector<float> values;

    std::span<const float> of(std::size_t row) const { return {values.data() + row * count, count}; }
    void add(std::span<const float> row) { values.insert(values.end(), row.begin(), row.end()); }
  };

  std::size_t rows = 0;
  Draws network, forest, process, neighbours;
  /// Of every row: how much wider the pool of all networks is than these draws. Empty: these are all.
  std::vector<double> widening;
  std::vector<double> boosted;  ///< of every row: the mean that boosted trees give; empty: there are none
  std::vector<double> transformed_truth, truth;  ///< the latter in the target's own units
  std::vector<double> weight;
  encode::NumberTransform transform;
};

/// The corrected pool of one row, of so many draws thinned from those given, ascending, in the target's
/// units.
std::vector<double> pooled(const HeldOut& rows, std::size_t row, std::size_t samples,
                           const Calibration& calibration, CalibrationScratch& scratch);

/// Calls body(row, worker) for every row.
template <class Body>
void each_row(std::size_t rows, ThreadPool& pool, const Body& body) {
  constexpr std::size_t kTask = 16;
  pool.run((rows + kTask - 1) / kTask, [&](std::size_t task, unsigned worker) {
    for (std::size_t row = task * kTask; row < std::min(rows, (task + 1) * kTask); ++row) body(row, worker);
  });
}

}  // namespace mirrorball::calibrate
