#include "kernels/cosine.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cosine.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/activation.h"
#include "kernels/level.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

/// cos(pi k a): a is split into 12 bits and the rest, so that k times the first part is exact for k < 4096
/// and loses nothing when it is taken modulo 2.
void CosineRows(const float* points, std::size_t rows, std::size_t dims, std::size_t per_dim, float* out,
                std::size_t stride) {
  const hn::CappedTag<float, kPadding> d;
  const std::size_t step = hn::Lanes(d);
  const auto half = hn::Set(d, 0.5f), two = hn::Set(d, 2.0f);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t dim = 0; dim < dims; ++dim) {
      const float a = points[row * dims + dim],
                  coarse = static_cast<float>(static_cast<int>(a * 4096.0f)) / 4096.0f;
      const auto high = hn::Set(d, coarse), low = hn::Set(d, a - coarse);
      float* to = out + row * stride + dim * per_dim;
      for (std::size_t k = 0; k < per_dim; k += step) {
        const auto frequency = hn::Iota(d, static_cast<float>(k));
        const auto turns = hn::Mul(frequency, high);
        const auto rest = hn::NegMulAdd(hn::Round(hn::Mul(turns, half)), two, turns);
        const auto value = CosPi(d, hn::MulAdd(frequency, low, rest));
        if (k + step <= per_dim) {
          hn::StoreU(value, d, to + k);
        } else {
          hn::BlendedStore(value, hn::FirstN(d, per_dim - k), d, to + k);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(CosineRows);

void cosine_features(const float* points, std::size_t rows, std::size_t dims, std::size_t per_dim, float* out,
                     std::size_t stride) {
  MIRRORBALL_DISPATCH(CosineRows)(points, rows, dims, per_dim, out, stride);
}

}  // namespace mirrorball::kernels
#endif
