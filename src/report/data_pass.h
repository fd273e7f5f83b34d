#pragma once

#include <string>
#include <vector>

#include "report/chosen_rows.h"
#include "report/drift.h"
#include "report/report_options.h"

namespace mirrorball::report {

/// What the data is, before anything is predicted.
struct DataFindings {
  Table table;                               ///< the rows looked at
  std::vector<std::size_t> row_numbers;      ///< of these rows in the data, from 0
  std::vector<std::string> row_names;        ///< of these rows by the id column, if there is one
  std::size_t rows = 0;                      ///< all of the data
  std::size_t without_outcome = 0;           ///< rows left out because a target is missing
  std::vector<std::string> missing_targets;  ///< targets the data does not have
  std::vector<FeatureDrift> drift;
  std::size_t rows_outside = 0;  ///< rows with a number outside its training range
};

/// One pass over the data, which comes in blocks of rows: drift is counted, and the rows to look at are
/// picked. Holds no more than these and some numbers of the features.
class DataPass {
 public:
  /// `other` is a second model that will predict the same rows; it may be null.
  DataPass(const Model& model, const Model* other, const ReportOptions& options);

  /// Throws where columns are missing or of another type than in training.
  void add(const Table& block);

  std::size_t rows() const { return chosen_.seen(); }
  DataFindings finish();

 private:
  const Model& model_;
  const Model* other_;
  std::uint64_t seed_;
  std::vector<DriftCounter> drift_;
  std::size_t rows_outside_ = 0;
  ChosenRows chosen_;
};

}  // namespace mirrorball::report
