#pragma once

#include <string>
#include <vector>

#include "report/data_pass.h"
#include "report/drivers.h"
#include "report/fans.h"
#include "report/forecasts.h"
#include "report/references.h"
#include "report/reliability.h"
#include "report/report_options.h"
#include "report/shown_rows.h"
#include "report/slices.h"

namespace mirrorball::report {

/// What a report says about one target. Without outcomes only `best` and `worst` are filled: they are then
/// the rows with the narrowest and the widest forecasts.
struct TargetFindings {
  Reference quantiles, mean;  ///< forecasts that know nothing of a row
  double skill = 0;           ///< by CRPS, against the training quantiles
  double explained = 0;       ///< R²: 1 - squared error of the mean over the outcomes' variance
  Reliability reliable;
  std::vector<WeakSpot> weak;
  std::size_t outside = 0;        ///< outcomes outside the training range
  std::size_t collapsed = 0;      ///< rows whose forecast is practically one number
  double collapsed_coverage = 1;  ///< share of their outcomes within the 90% interval
  ShownRows best, worst;
};

/// Everything the report tells, before it is put into words and pictures.
struct Findings {
  explicit Findings(const Model& judged) : model(judged) {}

  const Model& model;
  DataFindings data;
  Forecasts forecasts;
  std::vector<TargetFindings> targets;
  Drivers drivers;
  std::vector<std::size_t> fan_features;  ///< by importance where not all fit
  std::vector<Fan> fans;
  std::vector<std::size_t> dots;  ///< rows shown as dots
  JointRows joint;                ///< of several targets

  bool scored() const { return forecasts.scored(); }
  const Schema& schema() const { return model.schema(); }
};

/// Computes all of it, when the data has been read.
Findings find(const Model& model, DataPass& data, const ReportOptions& options);

}  // namespace mirrorball::report
