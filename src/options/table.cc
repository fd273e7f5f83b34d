#include "options/table.h"

#include <string>
#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "base/suggest.h"

namespace mirrorball::options {
namespace {

struct Range {
  double low, high;
};

constexpr double kMost = 1e9;

Row integer(Field field, const char* name, Range range, const char* help) {
  return {field, {name, "", "integer", help, {}, range.low, range.high}};
}

Row number(Field field, const char* name, Range range, const char* help) {
  return {field, {name, "", "number", help, {}, range.low, range.high}};
}

Row on_off(Field field, const char* name, const char* help) {
  return {field, {name, "", "switch", help, {}}};
}

/// The choices stand in the order of the enumeration.
Row choice(Field field, const char* name, std::vector<std::string> choices, const char* help) {
  return {field, {name, "", "choice", help, std::move(choices)}};
}

/// Bytes, as "2G"; or auto.
Row size(Field field, const char* name, const char* help) { return {field, {name, "", "size", help, {}}}; }

Row folder(Field field, const char* name, const char* help) {
  return {field, {name, "", "folder", help, {}}};
}

/// A knob of research: it exists so that the method can be studied, and its default rarely needs a change.
Row expert(Row row) {
  row.info.expert = true;
  return row;
}

/// About where a fit runs: the model does not depend on it, so its file must not either.
Row of_the_run(Row row) {
  row.info.stored = false;
  return row;
}

/// A name of an earlier version stays accepted; the command line and Python point to the new one.
Row renamed(Row row, const char* old_name) {
  row.info.old_names.emplace_back(old_name);
  return row;
}

Row renamed_choice(Row row, const char* old_word, const char* word) {
  row.info.old_choices.push_back({old_word, word});
  return row;
}

std::vector<Row> network() {
  return {
      renamed(expert(choice(&Options::architecture, "architecture", {"dnplus", "disco", "point"},
                            "kind of the networks: dnplus = noise embedding multiplied into the hidden "
                            "units; disco = noise "
                            "appended to the inputs; point = no noise, predicts the mean only")),
              "network"),
      renamed(integer(&Options::networks, "networks", {1, 1000},
                      "number of networks in the ensemble; their samples are pooled; with valid_folds, at "
                      "least two networks per fold are trained"),
              "members"),
      integer(&Options::width, "width", {1, 4096}, "units per hidden layer"),
      expert(integer(&Options::layers, "layers", {1, 64}, "hidden layers after the noise is merged in")),
      expert(choice(&Options::activation, "activation", {"relu", "selu", "tanh", "gcu", "silu"},
                    "activation function of the hidden layers")),
      expert(on_off(&Options::activate_input, "activate_input",
                    "apply the activation to the input layer too (dnplus; disco and point always do)")),
      expert(integer(&Options::noise_dim, "noise_dim", {0, 1024},
                     "noise dimensions; 0 = the number of targets")),
      expert(integer(&Options::cosines, "cosines", {1, 4096},
                     "cosine features that embed the noise, divided among its dimensions, at least 2 each")),
      expert(integer(&Options::waves, "waves", {-1, 1024},
                     "periodic features with learned frequencies for each numeric column, in addition to its "
                     "value; 0 = none; -1 = 24, or none if there is only one feature")),
      expert(number(&Options::wave_low, "wave_low", {1e-6, 1000},
                    "initial scale of the lowest frequency of the periodic features")),
      expert(number(&Options::wave_high, "wave_high", {1e-6, 1000},
                    "initial scale of the highest frequency of the periodic features; the others are spaced "
                    "geometrically in between")),
      expert(on_off(&Options::damp_waves, "damp_waves",
                    "reduce the weight of high frequencies of the periodic features in every second "
                    "network")),
  };
}

std::vector<Row> loss() {
  return {
      expert(integer(&Options::draws, "draws", {0, 4096},
                     "draws per row in a training step (N in the paper); 0 = 6 with one noise dimension, 16 "
                     "with several")),
      expert(choice(&Options::sampling, "sampling", {"auto", "independent", "stratified"},
                    "how the noise of a row's draws is sampled in training; auto = stratified with one "
                    "noise dimension, independent with several or with the option fair")),
      expert(integer(&Options::noise_grid, "noise_grid", {0, 65536},
                     "size of the noise table shared by all samples of a training step, 4 times as large "
                     "with several noise dimensions; 0 = fresh noise for every sample")),
      renamed(expert(number(&Options::energy_exponent, "energy_exponent", {1e-3, 1.999},
                            "exponent of the distances in the energy score; 1 = the CRPS for one target")),
              "alpha"),
      expert(on_off(&Options::fair, "fair",
                    "unbiased energy score: weight pairs by 1/(2N(N-1)) instead of 1/(2N^2)")),
  };
}

std::vector<Row> data() {
  const std::vector<std::string> transforms = {"quantile", "standard", "rankit", "none",
                                               "even",     "auto",     "smooth"};
  return {
      renamed_choice(
          expert(choice(&Options::input_transform, "input_transform", transforms,
                        "transform of numeric features: quantile = ranks to normal quantiles, extremes at "
                        "+-5.2; rankit = ranks to normal quantiles, extremes near their neighbours; standard "
                        "= mean 0 and standard deviation 1; none = unchanged, for values of the order of 1; "
                        "even = scaled by the range; auto = even for evenly spread features, and for an only "
                        "feature without far values, rankit for all others; smooth = as quantile, with "
                        "smoothed quantiles")),
          "scores", "rankit"),
      renamed_choice(
          choice(&Options::target_transform, "target_transform", transforms,
                 "transform of the targets; samples stay within the range of the training targets, except "
                 "with standard and with none, which is for targets of the order of 1; smooth = as quantile, "
                 "with smoothed quantiles; auto = even for several targets without far or often repeated "
                 "values, smooth for targets of fewer than 1,000 training rows whose values seldom repeat, "
                 "else quantile"),
          "scores", "rankit"),
      renamed(expert(integer(&Options::knots, "knots", {2, 100000},
                             "maximum number of training quantiles stored per column for its transform")),
              "quantiles"),
      expert(integer(&Options::plain_numbers, "plain_numbers", {0, 1000000},
                     "also use the clipped value of each rank-transformed feature (quantile, rankit) as an "
                     "input, in tables with 2 to this many numeric features and at least 2000 rows; 0 = "
                     "never")),
      renamed(expert(integer(&Options::max_categories, "max_categories", {1, 1000000},
                             "maximum number of categories per column; the most frequent ones are kept")),
              "max_levels"),
      renamed(expert(on_off(&Options::order_categories, "order_categories",
                            "initialize the weights of a column's categories in the order of their mean "
                            "targets")),
              "order_levels"),
  };
}

std::vector<Row> training() {
  return {
      integer(&Options::epochs, "epochs", {0, kMost},
              "passes over the training rows; 0 = 12, or more until there are min_steps training steps"),
      expert(integer(&Options::min_steps, "min_steps", {-1, kMost},
                     "raise the epochs until there are this many training steps, at most 6 per row; -1 = "
                     "4000 if epochs is 0, else 0")),
      integer(&Options::batch, "batch", {0, kMost},
              "maximum number of rows per training step; 0 = automatic: 32 for fewer than 2000 rows, "
              "else 100; above 50,000 rows 1/500 of them, at most 400"),
      number(&Options::learning_rate, "learning_rate", {1e-9, 10}, "learning rate of Adam"),
      expert(choice(&Options::schedule, "schedule", {"constant", "cosine"},
                    "schedule of the learning rate over the training steps")),
      expert(number(&Options::warmup, "warmup", {0, 1},
                    "fraction of the training steps used for warm-up by the cosine schedule")),
      expert(number(&Options::beta1, "beta1", {0, 0.999999}, "decay of Adam's first moment")),
      expert(number(&Options::beta2, "beta2", {0, 0.999999}, "decay of Adam's second moment")),
      expert(number(&Options::averaging, "averaging", {0, 0.999999},
                    "decay of the moving average of the weights; 0 = no averaging")),
      expert(number(&Options::init_sd, "init_sd", {0, 100},
                    "standard deviation of the initial weights; 0 = uniform within 1/sqrt(inputs)")),
      number(&Options::valid_fraction, "valid_fraction", {0, 0.9},
             "fraction of the rows held out for validation: to choose the best epoch and to calibrate"),
      expert(integer(&Options::min_valid, "min_valid", {0, kMost},
                     "minimum number of validation rows, limited to a fifth of all rows")),
      expert(integer(&Options::valid_folds, "valid_folds", {-1, 100},
                     "number of folds that replace the hold-out: each fold is left out by at least two "
                     "networks, so that all rows choose epochs and calibration; 0 = hold out "
                     "valid_fraction; -1 = 5 folds for fewer than 500 rows and at least 5 networks, else 0")),
      renamed(expert(integer(&Options::valid_samples, "valid_samples", {1, 4096},
                             "samples per row for the validation score")),
              "valid_draws"),
      expert(number(&Options::best_after, "best_after", {0, 1},
                    "fraction of the epochs before which no epoch is chosen as the best")),
      expert(integer(&Options::patience, "patience", {-1, kMost},
                     "stop after this many epochs without a better validation score; 0 = a sixth of the "
                     "epochs; -1 = never stop early")),
      expert(on_off(&Options::refit, "refit",
                    "after calibration, train briefly on all rows, including the validation rows; skipped "
                    "with a separate validation table and with conformal calibration")),
  };
}

std::vector<Row> forecast() {
  return {
      integer(&Options::forest, "forest", {0, 10000},
              "number of trees of a random forest, whose samples are blended in with the weight that "
              "minimises the validation CRPS; 0 = no forest"),
      expert(integer(&Options::gaussian_process, "gaussian_process", {0, 5000},
                     "maximum number of rows for a Gaussian process, whose samples are blended in with the "
                     "weight that minimises the validation CRPS; one target only; 0 = never")),
      expert(integer(&Options::boosting, "boosting", {0, 100000},
                     "maximum number of boosted trees in each fold; samples are shifted towards the mean "
                     "that the trees predict, if that clearly lowers the validation CRPS; 0 = no boosted "
                     "trees")),
      expert(integer(&Options::neighbours, "neighbours", {0, 1000000},
                     "maximum number of training rows kept as neighbours; the targets of the rows that are "
                     "nearest in a learned metric are blended in, if that clearly lowers the validation "
                     "CRPS; 0 = no neighbours")),
      renamed_choice(
          choice(&Options::calibrate, "calibrate", {"none", "scale", "interval", "conformal"},
                 "what is calibrated on the validation rows: scale = the spread, and the weights of "
                 "forest, Gaussian process and neighbours; interval = also the tails and the 90% "
                 "interval; conformal = as interval, with a coverage guarantee for the 90% interval"),
          "levels", "interval"),
      expert(choice(&Options::prediction_noise, "prediction_noise", {"even", "independent"},
                    "noise of the samples of a prediction: even = evenly spaced, for less sampling error; "
                    "independent = independent random numbers, as in the paper")),
  };
}

std::vector<Row> run() {
  return {
      number(&Options::time_limit, "time_limit", {0, kMost},
             "maximum time of the whole fit in seconds; the learning rate schedule is adapted to "
             "it; 0 = no limit"),
      expert(choice(&Options::precision, "precision", {"auto", "float32", "bfloat16"},
                    "number format of the matrix products in training: bfloat16 needs a CPU with AVX-512 "
                    "BF16; auto = the faster one of this CPU")),
      integer(&Options::seed, "seed", {0, 0x1p64}, "random seed; the same seed gives the same model"),
      of_the_run(integer(&Options::threads, "threads", {0, 4096},
                         "number of threads; 0 = all available cores; results do not depend on it")),
      of_the_run(
          choice(&Options::device, "device", {"auto", "cpu", "cuda"},
                 "where the networks are trained: cuda = the first NVIDIA GPU, cuda:N = GPU N, counted "
                 "from 0; auto = the first GPU if there is one and libmirrorball_cuda.so is installed, "
                 "else the CPU; results differ by rounding")),
      of_the_run(size(&Options::memory, "memory",
                      "maximum memory of a fit, such as 2G or 500M; the rows of a larger table are kept in a "
                      "cache file; auto = half of the memory available to the process")),
      expert(of_the_run(
          folder(&Options::cache, "cache",
                 "folder of the cache file; empty = the folder of the model file on the command line, "
                 "else $TMPDIR or /var/tmp"))),
  };
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Row& row : table()) all.push_back(row.info.name);
  return all;
}

}  // namespace

const std::vector<Row>& table() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    const auto add = [&](const char* group, std::vector<Row> part) {
      for (Row& row : part) {
        row.info.group = group;
        all.push_back(std::move(row));
      }
    };
    add("network", network());
    add("loss", loss());
    add("data", data());
    add("training", training());
    add("forecast", forecast());
    add("run", run());
    return all;
  }();
  return rows;
}

const Row& find(std::string_view name) {
  for (const Row& row : table()) {
    const std::vector<std::string>& old = row.info.old_names;
    if (row.info.name == name || contains(old, name)) return row;
  }
  bad_input("unknown option '{}'{}", name, did_you_mean(name, names()));
}

}  // namespace mirrorball::options

namespace mirrorball {

const std::vector<OptionInfo>& option_list() {
  static const std::vector<OptionInfo> list = [] {
    std::vector<OptionInfo> all;
    for (const options::Row& row : options::table()) all.push_back(row.info);
    return all;
  }();
  return list;
}

}  // namespace mirrorball
