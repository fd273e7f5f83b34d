#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/comparison.h"
#include "report/data_pass.h"
#include "report/disagreement.h"
#include "report/drivers.h"
#include "report/fans.h"
#include "report/forecasts.h"
#include "report/references.h"
#include "report/reliability.h"
#include "report/report_options.h"
#include "report/shown_rows.h"
#include "report/thresholds.h"
#include "report/weak_spots.h"

namespace mirrorball::report {

/// What a report says about one target. Without outcomes only `disagreement`, `best` and `worst` are filled:
/// the latter are then the rows with the narrowest and the widest forecasts.
struct TargetFindings {
  RowErrors rows;
  MeasuredScores scores;
  /// Simple forecasts to compare with: the training distribution first, then the training mean and, where
  /// there are enough rows to fit them to, a linear regression and trees.
  std::vector<Reference> references;
  std::vector<MeasuredScores> reference_scores;
  std::vector<Paired> against;  ///< the model and each reference
  Reliability reliable;
  std::vector<std::vector<SliceScores>> slices;  ///< by feature and slice, as Findings::slices
  std::vector<WeakSpot> weak;
  std::vector<std::size_t>
      shown_slices;  ///< features whose slices are drawn: the important and the weak ones
  std::vector<std::vector<SliceDetails>> details;  ///< of their slices
  std::vector<Threshold> thresholds;
  std::size_t outside = 0;        ///< outcomes outside the training range
  std::size_t collapsed = 0;      ///< rows whose forecast is practically one number
  double collapsed_coverage = 1;  ///< share of their outcomes within the 90% interval
  Disagreement disagreement;
  ShownRows best, worst;
};

/// A second model on the same rows.
struct OtherModel {
  explicit OtherModel(const Model& compared) : model(compared) {}

  struct Target {
    MeasuredScores scores;
    Paired paired;  ///< the first model and this one
    std::vector<std::vector<SliceDifference>> slices;
  };

  const Model& model;
  Forecasts forecasts;
  std::vector<Target> targets;
};

/// Everything the report tells, before it is put into words and pictures.
struct Findings {
  explicit Findings(const Model& judged) : model(judged) {}

  const Model& model;
  DataFindings data;
  Forecasts forecasts;
  std::vector<TargetFindings> targets;
  Drivers drivers;
  std::optional<OtherModel> other;
  std::vector<FeatureSlices> slices;
  std::size_t base_row = 0;               ///< the most typical row: forecasts along a feature start from it
  std::vector<std::size_t> fan_features;  ///< by importance where not all fit
  std::vector<Fan> fans;
  std::size_t dots = 0;                  ///< so many of the rows below are shown as dots
  std::vector<std::size_t> sample_rows;  ///< rows that a reader can open: dots, then the worst of slices
  JointRows joint;                       ///< of several targets

  bool scored() const { return forecasts.scored(); }
  const Schema& schema() const { return model.schema(); }
};

/// Computes all of it, when the data has been read. `other` may be null.
Findings find(const Model& model, const Model* other, DataPass& data, const ReportOptions& options);

}  // namespace mirrorball::report
