#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mirrorball/law.h"

namespace mirrorball {

/// Draws of many rows in one run, from any source, and the scores of score.h for all of them at once.
/// Layout: rows × samples × targets, the last moving fastest, as numpy has it. The draws are looked at, not
/// copied: they must outlive the block.
///
/// Rows are shared out among threads; no result depends on how many there are.
class DrawBlock {
 public:
  /// Throws unless the sizes fit and all draws are finite. `threads` 0 takes all cores.
  DrawBlock(std::span<const double> draws, std::size_t rows, std::size_t samples, std::size_t targets,
            unsigned threads = 0);

  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return samples_; }
  std::size_t targets() const { return targets_; }

  // One value per row and target, each target by itself. `observed` holds rows × targets values.
  std::vector<double> crps(std::span<const double> observed, bool fair = false) const;
  std::vector<double> pit(std::span<const double> observed) const;
  /// The number of rows and targets that got a floor is added to *floored.
  std::vector<double> kde_nll(std::span<const double> observed, std::size_t* floored = nullptr) const;

  // One value per row, all targets jointly.
  std::vector<double> energy_score(std::span<const double> observed, bool fair = false) const;
  std::vector<double> joint_kde_nll(std::span<const double> observed, std::size_t* floored = nullptr) const;

  /// rows × targets × levels, by linear interpolation between order statistics.
  std::vector<double> quantiles(std::span<const double> levels) const;

  /// Log of the joint kernel density estimate of one row's draws at points of `targets` values each.
  std::vector<double> log_density(std::size_t row, std::span<const double> points) const;

  /// Row by row, to the law at x: one x per row.
  std::vector<Distances> distances(const Law& law, std::span<const double> x) const;

  /// Row by row, to other draws of as many rows and targets, one or two of these: Wasserstein-1 (two targets:
  /// sliced, as for the laws) and energy distance of the two samples, as scipy's. Jensen-Shannon and
  /// Hellinger are taken on `cells` equal cells (of each target) over the range of both samples.
  std::vector<Distances> distances(const DrawBlock& other, std::size_t cells) const;

 private:
  std::span<const double> row(std::size_t row) const {
    return draws_.subspan(row * samples_ * targets_, samples_ * targets_);
  }
  template <class Value>
  std::vector<double> each_sorted(const Value& value) const;
  void check_observed(std::span<const double> observed) const;

  std::span<const double> draws_;
  std::size_t rows_, samples_, targets_;
  unsigned threads_;
};

}  // namespace mirrorball
