#include "rows/shuffled_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <system_error>

#include "base/random.h"

namespace mirrorball::rows {

ShuffledRows::ShuffledRows(const RowCache& cache, const MemoryRows& more, std::size_t group_rows,
                           std::uint64_t seed, std::uint32_t network)
    : cache_(cache),
      more_(more),
      group_rows_(group_rows),
      row_bytes_(cache.layout().row_bytes()),
      seed_(seed),
      network_(network),
      rows_(2 * group_rows * row_bytes_) {}

void ShuffledRows::begin_epoch(std::uint32_t epoch) {
  finish_loading();
  loaded_ = kNone;
  epoch_ = epoch;
  blocks_.resize((cache_.rows() + kBlockRows - 1) / kBlockRows);
  std::iota(blocks_.begin(), blocks_.end(), 0u);
  Stream random(seed_, Purpose::kShuffle, network_, epoch);
  shuffle(blocks_, random);
  group_begins_ = {0};
  std::size_t place = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    place += std::min(kBlockRows, cache_.rows() - blocks_[i] * kBlockRows);
    if ((i + 1) % (group_rows_ / kBlockRows) == 0 || i + 1 == blocks_.size()) group_begins_.push_back(place);
  }
}

std::size_t ShuffledRows::group_of(std::size_t place) const {
  return static_cast<std::size_t>(std::upper_bound(group_begins_.begin(), group_begins_.end(), place) -
                                  group_begins_.begin() - 1);
}

void ShuffledRows::load(std::size_t group) {
  const std::size_t per_group = group_rows_ / kBlockRows, first = group * per_group,
                    end = std::min(first + per_group, blocks_.size());
  std::vector<std::uint32_t> places(group_begins_[group + 1] - group_begins_[group]);
  std::iota(places.begin(), places.end(), 0u);
  Stream random(seed_, Purpose::kShuffle, network_, epoch_, static_cast<std::uint32_t>(group + 1));
  shuffle(places, random);
  std::vector<char> block(kBlockRows * row_bytes_);
  char* const to = half(group);
  std::size_t next = 0;
  for (std::size_t i = first; i < end; ++i) {
    const std::size_t row = blocks_[i] * kBlockRows, count = std::min(kBlockRows, cache_.rows() - row);
    cache_.read(row, count, block.data());
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(to + places[next++] * row_bytes_, block.data() + k * row_bytes_, row_bytes_);
  }
}

void ShuffledRows::begin_loading(std::size_t group) {
  loading_group_ = group;
  try {
    loading_ = std::async(std::launch::async, [this, group] { load(group); });
  } catch (const std::system_error&) {  // no more threads: it is read when it is needed
    loading_ = std::async(std::launch::deferred, [this, group] { load(group); });
  }
}

void ShuffledRows::finish_loading() {
  if (loading_group_ == kNone) return;
  loaded_ = loading_group_;
  loading_group_ = kNone;
  loading_.get();
}

std::span<const RowNumber> ShuffledRows::batch(std::size_t begin, std::size_t end) {
  const std::size_t first = group_of(begin), last = group_of(end - 1);
  const auto is_there = [&](std::size_t group) {
    return loaded_ != kNone && (group == loaded_ || group + 1 == loaded_);
  };
  if (loading_group_ != kNone && loading_group_ < first) finish_loading();
  for (std::size_t group = first; group <= last; ++group) {
    if (is_there(group)) continue;
    if (loading_group_ != group) begin_loading(group);
    finish_loading();
  }
  // The other half is free as soon as this one is in use alone.
  if (first == loaded_ && loading_group_ == kNone && loaded_ + 2 < group_begins_.size())
    begin_loading(loaded_ + 1);
  batch_.clear();
  for (std::size_t place = begin, group = first; place < end; ++place) {
    if (place == group_begins_[group + 1]) ++group;
    batch_.push_back(static_cast<RowNumber>(group % 2 * group_rows_ + place - group_begins_[group]));
  }
  return batch_;
}

void ShuffledRows::gather(std::span<const RowNumber> which, const RowBlock& to) const {
  const std::size_t places = 2 * group_rows_;
  if (!which.empty() && which[0] >= places) {
    std::vector<RowNumber> in_memory;
    for (const RowNumber row : which) in_memory.push_back(static_cast<RowNumber>(row - places));
    return more_.gather(in_memory, to);
  }
  for (std::size_t i = 0; i < which.size(); ++i)
    cache_.layout().unpack(rows_.data() + which[i] * row_bytes_, to, i);
}

}  // namespace mirrorball::rows
