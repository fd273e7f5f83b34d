#include "kernels/near.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/near.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, kPlaceDims>;

float AddAndLeast(float* apart, const float* norms, std::size_t count, float* least) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  float least_of_all = std::numeric_limits<float>::infinity();
  for (std::size_t begin = 0; begin < count; begin += kNearBlock, ++least) {
    const std::size_t end = std::min(count, begin + kNearBlock);
    auto lowest = hn::Set(d, std::numeric_limits<float>::infinity());
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) {
      const auto sum = hn::Add(hn::LoadU(d, apart + i), hn::LoadU(d, norms + i));
      hn::StoreU(sum, d, apart + i);
      lowest = hn::Min(lowest, sum);
    }
    float one = hn::GetLane(hn::MinOfLanes(d, lowest));
    for (; i < end; ++i) one = std::min(one, apart[i] += norms[i]);
    *least = one;
    least_of_all = std::min(least_of_all, one);
  }
  return least_of_all;
}

float BlockDistances(const float* places, std::size_t stride, std::size_t begin, std::size_t end,
                     const float* z, float* distances) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto lowest = hn::Set(d, std::numeric_limits<float>::infinity());
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < kPlaceDims; ++k) {
      const auto off = hn::Sub(hn::LoadU(d, places + k * stride + i), hn::Set(d, z[k]));
      sum = hn::Add(sum, hn::Mul(off, off));
    }
    hn::StoreU(sum, d, distances + (i - begin));
    lowest = hn::Min(lowest, sum);
  }
  float least = hn::GetLane(hn::MinOfLanes(d, lowest));
  for (; i < end; ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < kPlaceDims; ++k) {
      const float off = places[k * stride + i] - z[k];
      sum += off * off;
    }
    distances[i - begin] = sum;
    least = std::min(least, sum);
  }
  return least;
}

std::size_t RowsWithin(const float* apart, std::size_t count, const float* least, float nearest, float far,
                       std::uint32_t* rows, float* beyond) {
  const Floats d;
  const hn::Rebind<std::uint32_t, Floats> numbers;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (std::size_t begin = 0; begin < count; begin += kNearBlock, ++least) {
    if (*least - nearest >= far) continue;
    const std::size_t end = std::min(count, begin + kNearBlock);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) {
      const auto off = hn::Sub(hn::LoadU(d, apart + i), hn::Set(d, nearest));
      const auto is_near = hn::Lt(off, hn::Set(d, far));
      // Compressed in registers: some CPUs take a hundred cycles to do it on the way to memory.
      hn::StoreU(hn::Compress(off, is_near), d, beyond + found);
      hn::StoreU(
          hn::Compress(hn::Iota(numbers, static_cast<std::uint32_t>(i)), hn::RebindMask(numbers, is_near)),
          numbers, rows + found);
      found += hn::CountTrue(d, is_near);
    }
    for (; i < end; ++i) {
      if (!(apart[i] - nearest < far)) continue;
      rows[found] = static_cast<std::uint32_t>(i);
      beyond[found++] = apart[i] - nearest;
    }
  }
  return found;
}

template <class D>
HWY_INLINE hn::Vec<D> SlopeOf(D d, const NearRow& near, const float* place, hn::Vec<D> z) {
  return hn::Mul(hn::Set(d, 2 * near.slope), hn::Sub(hn::LoadU(d, place), z));
}

void AddSlopes(const NearRow* near, std::size_t count, const float* places, const float* z, std::size_t first,
               float* slopes) {
  const Floats d;
  for (std::size_t k = 0; k < kPlaceDims; k += hn::Lanes(d)) {
    const auto at = hn::LoadU(d, z + k);
    for (std::size_t i = 0; i < count; ++i) {
      const auto slope = SlopeOf(d, near[i], places + near[i].row * kPlaceDims + k, at);
      float* to = slopes + (near[i].row - first) * kPlaceDims + k;
      hn::StoreU(hn::Add(hn::LoadU(d, to), slope), d, to);
    }
  }
}

void SubtractSlopes(const NearRow* near, std::size_t count, const float* places, const float* z, float* own) {
  const Floats d;
  for (std::size_t k = 0; k < kPlaceDims; k += hn::Lanes(d)) {
    const auto at = hn::LoadU(d, z + k);
    auto sum = hn::LoadU(d, own + k);
    for (std::size_t i = 0; i < count; ++i)
      sum = hn::Sub(sum, SlopeOf(d, near[i], places + near[i].row * kPlaceDims + k, at));
    hn::StoreU(sum, d, own + k);
  }
}

void AddTo(float* to, const float* from, std::size_t count) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d, to + i);
  for (; i < count; ++i) to[i] += from[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(AddAndLeast);
HWY_EXPORT(BlockDistances);
HWY_EXPORT(RowsWithin);
HWY_EXPORT(AddSlopes);
HWY_EXPORT(SubtractSlopes);
HWY_EXPORT(AddTo);

float add_and_least(float* apart, const float* norms, std::size_t count, float* least) {
  return MIRRORBALL_DISPATCH(AddAndLeast)(apart, norms, count, least);
}

float block_distances(const float* places, std::size_t stride, std::size_t begin, std::size_t end,
                      const float* z, float* distances) {
  return MIRRORBALL_DISPATCH(BlockDistances)(places, stride, begin, end, z, distances);
}

std::size_t rows_within(const float* apart, std::size_t count, const float* least, float nearest, float far,
                        std::uint32_t* rows, float* beyond) {
  return MIRRORBALL_DISPATCH(RowsWithin)(apart, count, least, nearest, far, rows, beyond);
}

void add_slopes(const NearRow* near, std::size_t count, const float* places, const float* z,
                std::size_t first, float* slopes) {
  MIRRORBALL_DISPATCH(AddSlopes)(near, count, places, z, first, slopes);
}

void subtract_slopes(const NearRow* near, std::size_t count, const float* places, const float* z,
                     float* own) {
  MIRRORBALL_DISPATCH(SubtractSlopes)(near, count, places, z, own);
}

void add_to(float* to, const float* from, std::size_t count) { MIRRORBALL_DISPATCH(AddTo)(to, from, count); }

}  // namespace mirrorball::kernels
#endif
