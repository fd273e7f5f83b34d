#pragma once

#include <optional>
#include <span>

#include "base/thread_pool.h"
#include "encode/encoder.h"
#include "mirrorball/model.h"
#include "model/noise_cache.h"

namespace mirrorball::model {

/// A model asked again and again, for rows that a caller puts together in encoded form: explanations do, and
/// the server, which keeps the embedded noise between requests.
class RowSampler {
 public:
  /// All of them must outlive this. `options.threads` plays no part: the pool has them.
  RowSampler(const Model& model, const PredictOptions& options, ThreadPool& pool, NoiseCache* cache = nullptr)
      : model_(model), options_(options), pool_(pool), cache_(cache) {}

  /// Where each feature lies in an encoded row.
  const std::vector<encode::Feature>& features() const;
  std::size_t targets() const { return model_.targets().size(); }

  /// All rows of a table, or those chosen.
  rows::EncodedRows encode(const Table& table) const;
  rows::EncodedRows encode(const Table& table, std::span<const std::size_t> rows) const;

  /// What Model::predict gives, of all targets or `only` one.
  Predictive sample(const rows::EncodedRows& rows, std::optional<std::size_t> only = {}) const;

 private:
  const Model& model_;
  const PredictOptions& options_;
  ThreadPool& pool_;
  NoiseCache* cache_;
};

}  // namespace mirrorball::model
