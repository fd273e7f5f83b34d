#include "model/row_sampler.h"

#include "model/draw_rows.h"

namespace mirrorball::model {

const std::vector<encode::Feature>& RowSampler::features() const { return model_.parts_->encoder.features(); }

rows::EncodedRows RowSampler::encode(const Table& table) const {
  return encode_rows(*model_.parts_, table, 0, table.rows(), pool_);
}

rows::EncodedRows RowSampler::encode(const Table& table, std::span<const std::size_t> rows) const {
  const encode::Encoder& encoder = model_.parts_->encoder;
  rows::EncodedRows encoded(rows.size(), encoder.number_columns(), encoder.code_columns());
  const encode::Encoder::Bound bound = encoder.bind(table);
  for (std::size_t i = 0; i < rows.size(); ++i) bound.encode(rows[i], rows[i] + 1, encoded, i);
  return encoded;
}

Predictive RowSampler::sample(const rows::EncodedRows& rows, std::optional<std::size_t> only) const {
  return draw_rows(*model_.parts_, rows, options_, pool_, only, cache_);
}

}  // namespace mirrorball::model
