#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mirrorball/plan.h"

namespace mirrorball::plan {

/// The words of a field that is a choice: those of the option of that name.
const std::vector<std::string>& choices_of(std::string_view field);

/// "day", "week" or "year": the model file's word.
const char* word_of(DateCycle cycle);

/// Calls visit(name, field) for every field of a plan but its inputs: the model file stores them so.
template <class AnyPlan, class Visit>
void each_field(AnyPlan& plan, Visit visit) {
  visit("training_rows", plan.training_rows);
  visit("validation_rows", plan.validation_rows);
  visit("conformal_rows", plan.conformal_rows);
  visit("sample_rows", plan.sample_rows);
  visit("shuffled_rows", plan.shuffled_rows);
  visit("refit", plan.refit);
  visit("valid_by", plan.valid_by);
  visit("group", plan.group);
  visit("architecture", plan.architecture);
  visit("networks", plan.networks);
  visit("folds", plan.folds);
  visit("width", plan.width);
  visit("layers", plan.layers);
  visit("activation", plan.activation);
  visit("activate_input", plan.activate_input);
  visit("noise_dim", plan.noise_dim);
  visit("cosines", plan.cosines);
  visit("waves", plan.waves);
  visit("wave_low", plan.wave_low);
  visit("wave_high", plan.wave_high);
  visit("damp_waves", plan.damp_waves);
  visit("order_categories", plan.order_categories);
  visit("init_sd", plan.init_sd);
  visit("batch", plan.batch);
  visit("draws", plan.draws);
  visit("stratified", plan.stratified);
  visit("noise_table", plan.noise_table);
  visit("energy_exponent", plan.energy_exponent);
  visit("fair", plan.fair);
  visit("precision", plan.precision);
  visit("epochs", plan.epochs);
  visit("steps_per_epoch", plan.steps_per_epoch);
  visit("best_from", plan.best_from);
  visit("patience", plan.patience);
  visit("validation_samples", plan.validation_samples);
  visit("learning_rate", plan.learning_rate);
  visit("schedule", plan.schedule);
  visit("warmup", plan.warmup);
  visit("beta1", plan.beta1);
  visit("beta2", plan.beta2);
  visit("averaging", plan.averaging);
  visit("time_limit", plan.time_limit);
  visit("seed", plan.seed);
  visit("refit_batch", plan.refit_batch);
  visit("refit_steps_per_epoch", plan.refit_steps_per_epoch);
  visit("refit_epochs", plan.refit_epochs);
  visit("refit_learning_rate", plan.refit_learning_rate);
  visit("refit_warmup", plan.refit_warmup);
  visit("prediction_noise", plan.prediction_noise);
  visit("trees", plan.trees);
  visit("process_rows", plan.process_rows);
  visit("boosting", plan.boosting);
  visit("boost_rows", plan.boost_rows);
  visit("neighbour_rows", plan.neighbour_rows);
  visit("calibrate", plan.calibrate);
  visit("calibration_rows", plan.calibration_rows);
  visit("interval_rows", plan.interval_rows);
  visit("tails", plan.tails);
  visit("keep_tails", plan.keep_tails);
  visit("least_forest_weight", plan.least_forest_weight);
}

}  // namespace mirrorball::plan
