#include "net/step_noise.h"

#include "net/noise_points.h"

namespace mirrorball::net {

void choose_rows(const StepNoise& plan, std::size_t noise_dim, Stream& random,
                 std::span<std::uint32_t> index) {
  const auto rows = static_cast<std::uint32_t>(plan.grid);
  if (!plan.stratified) {
    for (std::uint32_t& row : index) row = random.below(rows);
  } else if (noise_dim > 1) {
    std::uint32_t row = random.below(rows);
    for (std::uint32_t& next : index) next = row++ % rows;
  } else {
    const auto part = [&](std::size_t n) { return static_cast<std::uint32_t>(plan.grid * n / index.size()); };
    for (std::size_t n = 0; n < index.size(); ++n) index[n] = part(n) + random.below(part(n + 1) - part(n));
  }
}

void choose_points(const StepNoise& plan, std::size_t noise_dim, Stream& random, std::span<float> points) {
  plan.stratified ? spread_points(random, noise_dim, points) : independent_points(random, points);
}

}  // namespace mirrorball::net
