#pragma once

#include <string>
#include <vector>

#include "report/drift.h"
#include "report/drivers.h"
#include "report/fans.h"
#include "report/forecasts.h"
#include "report/references.h"
#include "report/reliability.h"
#include "report/slices.h"

namespace mirrorball {

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
  std::vector<std::size_t> best, worst;
};

/// Everything the report tells, before it is put into words and pictures.
struct Findings {
  explicit Findings(const Model& judged) : model(judged) {}

  const Model& model;
  Table table;                               ///< the rows looked at
  std::vector<std::size_t> row_numbers;      ///< of these rows in the data, from 0
  std::size_t data_rows = 0;                 ///< all of the data
  std::size_t without_outcome = 0;           ///< rows left out because a target is missing
  std::vector<std::string> missing_targets;  ///< targets the data does not have

  Forecasts forecasts;
  std::vector<TargetFindings> targets;
  std::vector<FeatureDrift> drift;
  std::size_t rows_outside = 0;  ///< rows with a number outside its training range
  Drivers drivers;
  std::vector<std::size_t> fan_features;  ///< by importance where not all fit
  std::vector<Fan> fans;

  bool scored() const { return forecasts.scored(); }
};

}  // namespace mirrorball
