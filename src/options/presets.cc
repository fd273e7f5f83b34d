#include "base/error.h"
#include "base/suggest.h"
#include "mirrorball/options.h"

namespace mirrorball {

const std::vector<std::string>& preset_list() {
  static const std::vector<std::string> names = {"default", "paper", "disco", "point"};
  return names;
}

Options preset(std::string_view name) {
  Options options;
  if (name == "default") return options;
  // The paper's ten tables (section 3 of its experiments): one network, 100 independent draws, plain Adam.
  options.networks = 1;
  options.input_transform = Transform::kQuantile;
  options.target_transform = Transform::kQuantile;
  options.plain_numbers = 0;
  options.waves = 0;
  options.order_categories = false;
  options.min_valid = 0;
  options.valid_folds = 0;
  options.best_after = 0;
  options.patience = -1;
  options.refit = false;
  options.forest = 0;
  options.gaussian_process = 0;
  options.boosting = 0;
  options.neighbours = 0;
  options.calibrate = Calibrate::kNone;
  options.prediction_noise = PredictionNoise::kIndependent;
  options.draws = 100;
  options.sampling = Sampling::kIndependent;
  options.noise_grid = 0;
  options.epochs = 100;
  options.min_steps = 0;
  options.batch = 200;
  options.learning_rate = 1e-3;
  options.schedule = Schedule::kConstant;
  options.beta2 = 0.999;
  options.averaging = 0;
  options.precision = Precision::kFloat32;
  options.valid_samples = 100;
  if (name == "paper") return options;
  if (name == "disco") {
    options.architecture = Network::kDisco;
    return options;
  }
  if (name == "point") {
    options.architecture = Network::kPoint;
    return options;
  }
  bad_input("unknown preset '{}': use one of {}{}", name, listing(preset_list()),
            did_you_mean(name, preset_list()));
}

}  // namespace mirrorball
