#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mirrorball/model.h"
#include "mirrorball/plan.h"
#include "model/fit_columns.h"
#include "train/state_store.h"
#include "train/training_rows.h"

namespace mirrorball::model {

/// Where networks are kept while they train: a store for each phase of a fit, "training" and "refit".
class PhaseStores {
 public:
  virtual ~PhaseStores() = default;

  /// Must not outlive this.
  virtual std::unique_ptr<train::StateStore> phase(const std::string& name) = 0;
};

/// Called when a fit is about to train; may give none.
using MakeStores = std::function<std::unique_ptr<PhaseStores>(const Plan&, const train::TrainingRows&)>;

/// The fit behind all others.
Model fit_with(FitTables tables, const Roles& roles, const Options& options, const ProgressCallback& progress,
               double spent, const MakeStores& make_stores);

}  // namespace mirrorball::model
