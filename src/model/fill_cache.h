#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/thread_pool.h"
#include "encode/encoder.h"
#include "encode/transform.h"
#include "mirrorball/large_table.h"
#include "model/fit_columns.h"
#include "rows/row_cache.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// How the rows of a table larger than memory are encoded.
struct CacheTask {
  const encode::Encoder& encoder;
  std::span<const encode::NumberTransform> transforms;  ///< of the targets
  const Roles& roles;
  double weight_scale = 1;  ///< as `fill_weights` gave it for the sample
  std::string folder;       ///< of the file; empty: $TMPDIR or /var/tmp

  rows::CacheLayout layout() const;
};

/// Called with the share of the rows that are there; false ends it.
using CacheProgress = std::function<bool(double share)>;

/// Reads the table once more and writes all rows that `sample` does not hold out. Throws where the table is
/// not the same as at the first reading.
std::shared_ptr<const rows::RowCache> fill_cache(const LargeTable& whole, const train::TrainingRows& sample,
                                                 const CacheTask& task, ThreadPool& pool,
                                                 const CacheProgress& progress);

/// Throws where a target or weight of the whole table is missing in a row.
void check_whole(const LargeTable& whole, const Table& sample, const Roles& roles);

}  // namespace mirrorball::model
