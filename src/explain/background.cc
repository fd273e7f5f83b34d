#include "explain/background.h"

#include <algorithm>
#include <numeric>

#include "base/sample_rows.h"
#include "explain/cells.h"
#include "explain/cost.h"
#include "predictive/block_rows.h"

namespace mirrorball::shap {
namespace {

/// Samples kept, 64 MB of them.
constexpr std::size_t kMostKept = 8'000'000;

BackgroundRows rows_of(const Table& table, std::size_t most, std::uint64_t seed,
                       const model::RowSampler& sampler) {
  BackgroundRows made{table.rows(), random_rows(table.rows(), most, seed), {}, {}};
  made.encoded = sampler.encode(table, made.rows);
  made.cells = cell_numbers(sampler.features(), made.encoded);
  return made;
}

}  // namespace

std::vector<std::size_t> random_rows(std::size_t rows, std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Stream random(seed, Purpose::kExplain, 0);
  choose_first(all, std::min(rows, most), random);
  all.resize(std::min(rows, most));
  return all;
}

Background::Background(const Table& table, std::size_t least, const PredictOptions& options,
                       const model::RowSampler& sampler)
    : rows_(rows_of(table, std::max(least, kBaseRows), options.seed, sampler)),
      block_(predictive::block_rows(options.samples, sampler.targets())) {
  if (rows_.size() * options.samples * sampler.targets() <= kMostKept) kept_ = sampler.sample(rows_.encoded);
}

void Background::visit(const model::RowSampler& sampler,
                       const std::function<void(const Predictive&, std::size_t)>& body) const {
  if (kept_.rows() > 0) return body(kept_, 0);
  for (std::size_t first = 0; first < rows_.size(); first += block_)
    body(sampler.sample(some_rows(rows_.encoded, first, std::min(block_, rows_.size() - first))), first);
}

}  // namespace mirrorball::shap
