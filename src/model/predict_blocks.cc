#include "model/predict_blocks.h"

#include <algorithm>

#include "predictive/block_rows.h"

namespace mirrorball::model {

void predict_blocks(const Model& model, TableSource& source, const PredictOptions& options,
                    const UseSamples& use, const RowProgress& progress) {
  double share_before = 0;
  while (const std::optional<Table> block = source.next()) {
    const std::size_t rows = block->rows();
    if (rows == 0) model.check(*block);  // nobody else looks at the columns of an empty table
    const std::optional<double> share_behind = source.share();
    for (std::size_t begin = 0, end; begin < rows; begin = end) {
      end = std::min(rows, begin + predictive::block_rows(options.samples, model.targets().size()));
      use(model.predict(*block, begin, end, options), *block, begin);
      if (!progress) continue;
      std::optional<double> share;
      if (share_behind)
        share = share_before +
                (*share_behind - share_before) * static_cast<double>(end) / static_cast<double>(rows);
      progress(block->first_row() + end, share);
    }
    share_before = share_behind.value_or(0);
  }
}

}  // namespace mirrorball::model
