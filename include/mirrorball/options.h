#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mirrorball {

enum class Network { kDnPlus, kDisco, kPoint };
enum class Activation { kRelu, kSelu, kTanh, kGcu, kSilu };
enum class Sampling { kAuto, kIndependent, kStratified };
enum class Transform { kQuantile, kStandard, kRankit, kNone, kEven, kAuto, kSmooth };
enum class PredictionNoise { kEven, kIndependent };
enum class Schedule { kConstant, kCosine };
enum class Precision { kAuto, kFloat32, kBfloat16 };
enum class Calibrate { kNone, kScale, kInterval, kConformal };

/// Everything that decides a fit. What each field means and its range are in one table
/// (src/options/table.cc), from which the command line's flags and docs/options.md come too.
struct Options {
  Network architecture = Network::kDnPlus;
  int networks = 6;
  int width = 128;
  int layers = 2;
  Activation activation = Activation::kRelu;
  bool activate_input = true;
  int noise_dim = 0;
  int cosines = 128;

  int draws = 0;
  Sampling sampling = Sampling::kAuto;
  int noise_grid = 64;
  double energy_exponent = 1.0;
  bool fair = false;

  int waves = -1;
  double wave_low = 0.03;
  double wave_high = 3.0;
  bool damp_waves = true;

  Transform input_transform = Transform::kAuto;
  Transform target_transform = Transform::kAuto;
  int knots = 1000;
  int plain_numbers = 12;
  int max_categories = 1000;
  bool order_categories = true;

  int epochs = 0;
  int min_steps = -1;
  int batch = 0;
  double learning_rate = 4e-3;
  Schedule schedule = Schedule::kCosine;
  double warmup = 0.03;
  double beta1 = 0.9;
  double beta2 = 0.95;
  double averaging = 0.998;
  double init_sd = 0.0;
  double valid_fraction = 0.1;
  int min_valid = 500;
  int valid_folds = -1;
  int valid_samples = 16;
  double best_after = 1.0 / 3;
  int patience = 0;
  bool refit = true;

  int forest = 64;
  int gaussian_process = 1500;
  int boosting = 500;
  int neighbours = 50000;
  Calibrate calibrate = Calibrate::kInterval;
  PredictionNoise prediction_noise = PredictionNoise::kEven;

  double time_limit = 0;
  Precision precision = Precision::kAuto;
  std::uint64_t seed = 0;
  int threads = 0;
  std::string device = "auto";
  std::string memory = "auto";
  std::string cache = "";
};

/// A word of an earlier version and the one that took its place.
struct RenamedWord {
  std::string old_word, word;
};

/// One line of the table of options.
struct OptionInfo {
  std::string name;                           ///< as a field: "learning_rate"; the flag is "--learning-rate"
  std::string group;                          ///< network, loss, data, training, forecast or run
  std::string kind;                           ///< "integer", "number", "switch", "choice", "size" or "folder"
  std::string help;                           ///< one sentence
  std::vector<std::string> choices;           ///< of a choice
  double low = 0, high = 0;                   ///< inclusive range of an integer or a number
  bool expert = false;                        ///< for research; rarely needed
  bool stored = true;                         ///< part of the model file: says what is fitted, not where
  std::vector<std::string> old_names = {};    ///< of earlier versions, still accepted
  std::vector<RenamedWord> old_choices = {};  ///< likewise
};

const std::vector<OptionInfo>& option_list();

/// A field as text and back, by its name or one of its old names. An unknown name, a bad value or one out of
/// range is a std::invalid_argument, whose message calls the option `called`, or by its name.
std::string get_option(const Options& options, std::string_view name);
void set_option(Options& options, std::string_view name, std::string_view value,
                std::string_view called = {});

/// Named settings: "default"; "paper", "disco" and "point" as in the paper. `preset_list` names them.
Options preset(std::string_view name);
const std::vector<std::string>& preset_list();

}  // namespace mirrorball
