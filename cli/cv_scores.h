#pragma once

#include <string>
#include <vector>

#include "mirrorball/cross_validate.h"
#include "paint.h"

namespace mirrorball::cli {

/// The scores of all folds, with mean and standard deviation over them: as tables, and as one line of JSON.
/// `split` says how the rows were split.
std::string cv_text(const std::vector<FoldScores>& folds, const std::string& split, const Paint& paint);
std::string cv_json(const std::vector<FoldScores>& folds, const std::string& split);

}  // namespace mirrorball::cli
