#include "kernels/amx.h"

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#define MIRRORBALL_AMX __attribute__((target("amx-tile,amx-bf16")))

namespace mirrorball::kernels {
namespace {

/// Of cpuid's leaf 7, register edx.
constexpr unsigned kHasBfloatTiles = 1u << 22, kHasTiles = 1u << 24;
/// arch_prctl's request for a part of the registers' state, and the number of the tiles' data there.
constexpr int kRequestPermission = 0x1023, kTileData = 18;

bool ask_for_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  if ((d & kHasBfloatTiles) == 0 || (d & kHasTiles) == 0) return false;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

/// What LDTILECFG reads: rows and bytes per row of the eight tiles.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {};
};

struct Factors {
  std::size_t depth, out;
  bool adds;
};

/// Tiles 0 and 1 are the upper lines of a block of the result, 2 and 3 the lower ones; 4 and 5 are lines of
/// X, 6 and 7 columns of W.
MIRRORBALL_AMX void configure(std::size_t upper, std::size_t lower) {
  TileConfig config;
  for (int tile : {0, 1, 4}) config.rows[tile] = static_cast<std::uint8_t>(upper);
  for (int tile : {2, 3, 5}) config.rows[tile] = static_cast<std::uint8_t>(lower);
  for (int tile : {6, 7}) config.rows[tile] = kAmxSide;
  // The intrinsic of GCC 12 tells the compiler of the first eight bytes only.
  asm volatile("" : : "r"(&config) : "memory");
  _tile_loadconfig(&config);
}

/// A block of the result, one or two tiles high and wide.
template <bool kTwoHigh, bool kTwoWide>
MIRRORBALL_AMX void block(const Factors& f, const Bfloat* x, const BfloatPair* second, float* result) {
  const std::size_t x_bytes = f.depth * sizeof(Bfloat), bytes = f.out * sizeof(float);
  float* lower = result + kAmxSide * f.out;
  _tile_zero(0);
  if constexpr (kTwoWide) _tile_zero(1);
  if constexpr (kTwoHigh) _tile_zero(2);
  if constexpr (kTwoHigh && kTwoWide) _tile_zero(3);
  if (f.adds) {
    _tile_loadd(0, result, bytes);
    if constexpr (kTwoWide) _tile_loadd(1, result + kAmxSide, bytes);
    if constexpr (kTwoHigh) _tile_loadd(2, lower, bytes);
    if constexpr (kTwoHigh && kTwoWide) _tile_loadd(3, lower + kAmxSide, bytes);
  }
  for (std::size_t k = 0; k < f.depth; k += kAmxDepth, second += kAmxDepth / 2 * f.out) {
    _tile_loadd(4, x + k, x_bytes);
    _tile_loadd(6, second, bytes);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kTwoWide) {
      _tile_loadd(7, second + kAmxSide, bytes);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (kTwoHigh) {
      _tile_loadd(5, x + kAmxSide * f.depth + k, x_bytes);
      _tile_dpbf16ps(2, 5, 6);
    }
    if constexpr (kTwoHigh && kTwoWide) _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, result, bytes);
  if constexpr (kTwoWide) _tile_stored(1, result + kAmxSide, bytes);
  if constexpr (kTwoHigh) _tile_stored(2, lower, bytes);
  if constexpr (kTwoHigh && kTwoWide) _tile_stored(3, lower + kAmxSide, bytes);
}

/// All columns of a block of lines.
template <bool kTwoHigh>
MIRRORBALL_AMX void strip(const Factors& f, const Bfloat* x, const BfloatPair* second, float* result) {
  std::size_t j = 0;
  for (; j + 2 * kAmxSide <= f.out; j += 2 * kAmxSide) block<kTwoHigh, true>(f, x, second + j, result + j);
  if (j < f.out) block<kTwoHigh, false>(f, x, second + j, result + j);
}

}  // namespace

bool may_use_amx() {
  static const bool allowed = ask_for_amx();
  return allowed;
}

MIRRORBALL_AMX void amx_gemm(std::size_t lines, std::size_t depth, std::size_t out, bool adds,
                             const Bfloat* x, const BfloatPair* second, float* result) {
  const Factors factors{depth, out, adds};
  std::size_t line = 0;
  configure(kAmxSide, kAmxSide);
  for (; line + 2 * kAmxSide <= lines; line += 2 * kAmxSide)
    strip<true>(factors, x + line * depth, second, result + line * out);
  const std::size_t rest = lines - line;
  if (rest > kAmxSide) {
    configure(kAmxSide, rest - kAmxSide);
    strip<true>(factors, x + line * depth, second, result + line * out);
  } else if (rest > 0) {
    configure(rest, kAmxSide);
    strip<false>(factors, x + line * depth, second, result + line * out);
  }
  _tile_release();
}

}  // namespace mirrorball::kernels

#else

namespace mirrorball::kernels {

bool may_use_amx() { return false; }
void amx_gemm(std::size_t, std::size_t, std::size_t, bool, const Bfloat*, const BfloatPair*, float*) {}

}  // namespace mirrorball::kernels

#endif
