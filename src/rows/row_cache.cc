#include "rows/row_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/memory.h"
#include "base/unnamed_file.h"

namespace mirrorball::rows {
namespace {

constexpr std::uint16_t kNarrowNothing = 0xFFFF;

template <class Value>
char* put(const Value* from, std::size_t count, char* to) {
  std::memcpy(to, from, count * sizeof(Value));
  return to + count * sizeof(Value);
}

template <class Value>
const char* take(const char* from, std::size_t count, Value* to) {
  if (to) std::memcpy(to, from, count * sizeof(Value));
  return from + count * sizeof(Value);
}

}  // namespace

void CacheLayout::pack(const MemoryRows& rows, std::size_t row, char* to) const {
  to = put(rows.inputs.numbers.data() + row * numbers, numbers, to);
  to = put(rows.targets.data() + row * targets, targets, to);
  if (weights) to = put(rows.weights.data() + row, 1, to);
  const std::int32_t* own = rows.inputs.codes.data() + row * codes;
  if (wide_codes) {
    put(own, codes, to);
    return;
  }
  for (std::size_t i = 0; i < codes; ++i) {
    const std::uint16_t code =
        own[i] == EncodedRows::kNothing ? kNarrowNothing : static_cast<std::uint16_t>(own[i]);
    to = put(&code, 1, to);
  }
}

void CacheLayout::unpack(const char* from, const RowBlock& to, std::size_t i) const {
  from = take(from, numbers, to.numbers ? to.numbers + i * to.stride : nullptr);
  from = take(from, targets, to.targets ? to.targets + i * targets : nullptr);
  if (weights) {
    from = take(from, 1, to.weights ? to.weights + i : nullptr);
  } else if (to.weights) {
    to.weights[i] = 1;
  }
  if (!to.codes) return;
  std::int32_t* own = to.codes + i * codes;
  if (wide_codes) {
    take(from, codes, own);
    return;
  }
  for (std::size_t k = 0; k < codes; ++k) {
    std::uint16_t code;
    from = take(from, 1, &code);
    own[k] = code == kNarrowNothing ? EncodedRows::kNothing : code;
  }
}

void RowCache::read(std::size_t first, std::size_t count, char* to) const {
  std::size_t at = first * layout_.row_bytes(), left = count * layout_.row_bytes();
  while (left > 0) {
    const ssize_t some = pread(file_.number, to, left, static_cast<off_t>(at));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0)
      system_failure("cannot read the cache: {}", some < 0 ? std::strerror(errno) : "it ends too early");
    to += some;
    at += static_cast<std::size_t>(some);
    left -= static_cast<std::size_t>(some);
  }
}

RowCacheWriter::RowCacheWriter(const std::string& folder, const CacheLayout& layout, std::size_t rows)
    : folder_(folder),
      bytes_wanted_(rows * layout.row_bytes()),
      cache_(new RowCache(open_unnamed(folder, "the cache of a table larger than memory"), layout)) {
  // Where a file system cannot do this, a full disk shows later.
  if (fallocate(cache_->file_.number, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes_wanted_)) != 0 &&
      (errno == ENOSPC || errno == EFBIG || errno == EDQUOT))
    fail(errno);
}

void RowCacheWriter::fail(int error) const {
  system_failure(
      "cannot write the cache of a table larger than memory in {}, which takes {}: {}; name a folder with "
      "more space by the option cache, or raise the option memory",
      folder_, bytes_text(bytes_wanted_), std::strerror(error));
}

void RowCacheWriter::add(const MemoryRows& block, std::span<const std::size_t> which) {
  const std::size_t size = cache_->layout_.row_bytes();
  packed_.assign(which.size() * size, 0);
  for (std::size_t i = 0; i < which.size(); ++i)
    cache_->layout_.pack(block, which[i], packed_.data() + i * size);
  print_.add(packed_.data(), packed_.size());
  for (std::size_t done = 0; done < packed_.size();) {
    const ssize_t some = write(cache_->file_.number, packed_.data() + done, packed_.size() - done);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) fail(errno);
    done += static_cast<std::size_t>(some);
  }
  cache_->rows_ += which.size();
}

std::shared_ptr<const RowCache> RowCacheWriter::finish() {
  cache_->fingerprint_ = print_.value();
  return std::move(cache_);
}

}  // namespace mirrorball::rows
