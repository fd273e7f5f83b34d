#include "ceiling.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "kernels/gemm.h"

namespace mirrorball::bench {
namespace {

constexpr std::size_t kSize = 128;
constexpr int kProducts = 400, kRounds = 7;

struct Operands {
  Buffer<float> x{kSize * kSize}, w{kSize * kSize}, y{kSize * kSize};
};

}  // namespace

double gemm_ceiling(unsigned threads) {
  ThreadPool pool(threads);
  const kernels::Gemm product = kernels::Gemm::forward(kSize, kSize, kSize, kSize, kSize, kSize);
  std::vector<Operands> operands(pool.size());
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    pool.run(pool.size(), [&](std::size_t task, unsigned) {
      Operands& own = operands[task];
      for (int i = 0; i < kProducts; ++i) product(own.x.data(), own.w.data(), own.y.data());
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 2e-9 * kSize * kSize * kSize * kProducts * pool.size() / seconds);
  }
  return best;
}

}  // namespace mirrorball::bench
