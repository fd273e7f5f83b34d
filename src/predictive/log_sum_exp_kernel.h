#pragma once

#include <cstddef>

namespace mirrorball::predictive {

/// `q` is read up to this many numbers past its end; they must hold something very large.
inline constexpr std::size_t kLogSumExpPad = 64;

/// log Σ_i exp(−q_i/2) over i < n, n > 0, all q_i finite.
double log_sum_exp(const double* q, std::size_t n);

}  // namespace mirrorball::predictive
