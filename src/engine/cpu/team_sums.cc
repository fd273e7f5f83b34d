#include "engine/cpu/team_sums.h"

#include <algorithm>
#include <utility>

#include "base/padding.h"

namespace mirrorball::engine {

TeamSums::TeamSums(const group::Group& team, std::vector<float*> gradients, std::size_t size,
                   std::vector<float*> tables, std::size_t rows, std::size_t stride)
    : team_(team),
      gradients_(std::move(gradients)),
      tables_(std::move(tables)),
      shards_(group::even_parts(team, gradients_.size())),
      parts_(group::even_parts(team, size / kPadding)),
      sum_(size) {
  for (std::size_t& bound : parts_) bound *= kPadding;
  for (const std::size_t shard : shards_)
    table_parts_.push_back(cut(rows, gradients_.size(), shard) * stride);
}

void TeamSums::collect_tables() {
  group::PartsExchange exchange(team_);
  exchange.collect<float>(tables_, shards_, table_parts_);
  exchange.run();
}

void TeamSums::sum(ThreadPool& pool, std::span<double> losses) {
  group::PartsExchange exchange(team_);
  exchange.collect<float>(gradients_, shards_, parts_);
  exchange.share(losses, shards_);
  exchange.run();
  const std::size_t first = parts_[team_.rank()], count = parts_[team_.rank() + 1] - first;
  pool.run(pool.size(), [&](std::size_t i, unsigned) {
    const std::size_t begin = first + cut(count, pool.size(), i),
                      end = first + cut(count, pool.size(), i + 1);
    std::copy(gradients_[0] + begin, gradients_[0] + end, sum_.data() + begin);
    for (std::size_t shard = 1; shard < gradients_.size(); ++shard)
      for (std::size_t at = begin; at < end; ++at) sum_[at] += gradients_[shard][at];
  });
  exchange.share(sum_.span(), parts_);
  exchange.run();
}

}  // namespace mirrorball::engine
