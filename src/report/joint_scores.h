#pragma once

#include <cstddef>
#include <span>

#include "mirrorball/predictive.h"

namespace mirrorball::report {

/// Variogram score of order 1/2 (Scheuerer and Hamill 2015) over all pairs of targets, each divided by its
/// scale: Σ_j<k (|y_j - y_k|^½ - mean |s_j - s_k|^½)². It is large where the dependence is wrong.
double variogram_score(const Predictive& forecast, std::size_t row, std::span<const double> observed,
                       std::span<const double> scales);

/// The rank of the outcome among the joint samples as a share of 1, by the mean of its ranks in each target
/// (Thorarinsdottir et al. 2016). Uniform where outcomes follow the joint forecasts; `v` in [0, 1) splits
/// ties.
double average_rank(const Predictive& forecast, std::size_t row, std::span<const double> observed, double v);

}  // namespace mirrorball::report
