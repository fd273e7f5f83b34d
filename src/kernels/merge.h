#pragma once

#include <cstddef>
#include <cstdint>

namespace mirrorball::kernels {

/// Where the noise meets the inputs. For sample s and draw n, i = s * draws + n, and g = index[i] the row of
/// the noise table that this draw uses:
///
///   multiply   u[i] = psi[s] * noise[g]        (DN+)
///   add        u[i] = psi[s] + noise[g]        (DISCO Nets, before the activation)
///
/// Backward takes du, sets dpsi[s] = sum over n of du[i] * (noise[g] or 1), and adds du[i] * (psi[s] or 1) to
/// dnoise[g].
enum class Merge { kMultiply, kAdd };

struct MergeShape {
  std::size_t rows, draws, width;
  const std::uint32_t* index;
};

void merge(Merge kind, const MergeShape& shape, const float* psi, const float* noise, float* u);
void merge_backward(Merge kind, const MergeShape& shape, const float* du, const float* psi,
                    const float* noise, float* dpsi, float* dnoise);

/// Multiplies for one sample, and leaves out the units whose psi is 0, as ReLU makes about half of them. Rows
/// of u, still `width` floats apart, hold psi[j] * noise[g][j] for the other j, in order, and then zeros up
/// to a multiple of kActiveStep, one step at least. Writes these j to `units` and returns how many they are.
constexpr std::size_t kActiveStep = 8;
std::size_t merge_active(const MergeShape& shape, const float* psi, const float* noise, float* u,
                         std::uint32_t* units);

}  // namespace mirrorball::kernels
