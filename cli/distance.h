#pragma once

#include <cstdint>
#include <string>

#include "mirrorball/law.h"
#include "mirrorball/model.h"

namespace mirrorball::cli {

struct MeanSd {
  double mean = 0, sd = 0;
};

/// The four distances between a model and a law, over equidistant x.
struct LawDistances {
  MeanSd jsd, hellinger, wasserstein, energy;
};

LawDistances distances_to(const Model& model, const Law& law, std::size_t points, std::size_t samples,
                          std::uint64_t seed);

/// As a small table of four lines.
std::string distances_text(const LawDistances& distances);

}  // namespace mirrorball::cli
