#include "train/training_rows.h"

#include <algorithm>

namespace mirrorball::train {

TrainingRows::Split TrainingRows::split_of(std::uint32_t network) const {
  if (folds.empty()) return {train, valid};
  Split split;
  split.valid = folds[network % folds.size()];
  for (const std::vector<rows::RowNumber>& fold : folds)
    if (&fold != &folds[network % folds.size()])
      split.train.insert(split.train.end(), fold.begin(), fold.end());
  std::sort(split.train.begin(), split.train.end());
  return split;
}

}  // namespace mirrorball::train
