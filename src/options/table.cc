#include "options/table.h"

#include <string>
#include <utility>

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

/// A knob of research: it exists so that the method can be studied, and its default rarely needs a change.
Row expert(Row row) {
  row.info.expert = true;
  return row;
}

std::vector<Row> network() {
  return {
      expert(choice(&Options::network, "network", {"dnplus", "disco", "point"},
                    "dnplus multiplies a noise embedding into the hidden units; disco appends the noise "
                    "to the inputs; point has no noise and predicts the mean")),
      integer(&Options::members, "members", {1, 1000},
              "networks in the ensemble, trained from different initial weights; their samples are pooled"),
      integer(&Options::width, "width", {1, 4096}, "units per hidden layer"),
      expert(integer(&Options::layers, "layers", {1, 64}, "hidden layers after the noise is merged in")),
      expert(choice(&Options::activation, "activation", {"relu", "selu", "tanh", "gcu", "silu"},
                    "activation function")),
      expert(on_off(&Options::activate_input, "activate_input",
                    "apply the activation to the input layer too (dnplus; disco and point always do)")),
      expert(integer(&Options::noise_dim, "noise_dim", {0, 1024},
                     "noise dimensions; 0 = the number of targets")),
      expert(integer(&Options::cosines, "cosines", {1, 4096},
                     "cosine features that embed the noise, split among its dimensions, at least 2 each")),
      expert(integer(&Options::waves, "waves", {-1, 1024},
                     "periodic features of learned frequency for each numeric column, besides the number; "
                     "0 = none; -1 = 24, or none for a single feature")),
      expert(number(&Options::wave_low, "wave_low", {1e-6, 1000},
                    "initial scale of the lowest frequency of the waves")),
      expert(number(&Options::wave_high, "wave_high", {1e-6, 1000},
                    "initial scale of the highest frequency of the waves; those between are spaced "
                    "geometrically")),
      expert(on_off(&Options::damp_waves, "damp_waves",
                    "give high frequencies less weight in every second network")),
  };
}

std::vector<Row> loss() {
  return {
      expert(integer(&Options::draws, "draws", {0, 4096},
                     "draws per row in a training step; 0 = 6 with one noise dimension, 16 with several")),
      expert(choice(&Options::sampling, "sampling", {"auto", "independent", "stratified"},
                    "how the noise of a row's draws is sampled; auto = stratified with one noise "
                    "dimension, independent with several or with fair")),
      expert(integer(&Options::noise_grid, "noise_grid", {0, 65536},
                     "size of the noise table shared by all draws of a training step (times 4 with "
                     "several noise dimensions); 0 = fresh noise for every draw")),
      expert(number(&Options::alpha, "alpha", {1e-3, 1.999},
                    "exponent of the distances in the energy score, between 0 and 2")),
      expert(on_off(&Options::fair, "fair",
                    "unbiased energy score: weight the pairs of draws by 1/(2N(N-1)) instead of 1/(2N^2)")),
  };
}

std::vector<Row> data() {
  return {
      expert(choice(
          &Options::input_transform, "input_transform", {"quantile", "standard", "scores", "even", "auto"},
          "transform of numeric features: quantile = ranks to a normal distribution with ends "
          "at +-5.2; scores = the same with half a knot beyond the ends, so that extremes stay near "
          "their neighbours; standard = to mean 0 and standard deviation 1; even = by the range; "
          "auto = even for a feature spread evenly over its range, else scores")),
      choice(&Options::target_transform, "target_transform", {"quantile", "standard", "scores"},
             "transform of the targets; with quantile and scores, samples stay inside the training range; "
             "with standard they can leave it"),
      expert(
          integer(&Options::quantiles, "quantiles", {2, 100000}, "knots of a quantile transform, at most")),
      expert(
          integer(&Options::plain_numbers, "plain_numbers", {0, 1000000},
                  "numeric features transformed by rank (quantile, scores) enter by value too, softly "
                  "clipped, if there are 2 to this many numeric features and at least 2000 rows; 0 = never")),
      expert(integer(&Options::max_levels, "max_levels", {1, 1000000},
                     "categories kept per categorical column, the most frequent ones")),
      expert(on_off(&Options::order_levels, "order_levels",
                    "initialize the weights of a column's categories in the order of their mean targets")),
  };
}

std::vector<Row> training() {
  return {
      integer(&Options::epochs, "epochs", {0, kMost},
              "passes over the training rows; 0 = 12, raised until there are min_steps steps"),
      expert(integer(&Options::min_steps, "min_steps", {-1, kMost},
                     "epochs are raised until there are this many steps, or 6 a row; -1 = 4000 if epochs is "
                     "automatic, else 0")),
      integer(&Options::batch, "batch", {0, kMost},
              "rows per training step, at most; 0 = 32 below 2000 rows, else 100, and above 50,000 rows a "
              "500th of them, up to 400"),
      number(&Options::learning_rate, "learning_rate", {1e-9, 10}, "learning rate of Adam"),
      expert(choice(&Options::schedule, "schedule", {"constant", "cosine"},
                    "schedule of the learning rate over the steps")),
      expert(number(&Options::warmup, "warmup", {0, 1},
                    "fraction of the steps over which a cosine schedule warms up")),
      expert(number(&Options::beta1, "beta1", {0, 0.999999}, "decay of Adam's first moment")),
      expert(number(&Options::beta2, "beta2", {0, 0.999999}, "decay of Adam's second moment")),
      expert(number(&Options::averaging, "averaging", {0, 0.999999},
                    "decay of the moving average of the weights; 0 = off")),
      expert(number(&Options::init_sd, "init_sd", {0, 100},
                    "initialize all weights from N(0, sd^2); 0 = uniform within 1/sqrt(inputs)")),
      number(&Options::valid_fraction, "valid_fraction", {0, 0.9},
             "fraction of rows held out to choose the best epoch and to calibrate"),
      expert(integer(&Options::min_valid, "min_valid", {0, kMost},
                     "hold out at least this many rows, as long as that is at most a fifth of them")),
      expert(
          integer(&Options::valid_draws, "valid_draws", {1, 4096}, "draws per row in the validation score")),
      expert(number(&Options::best_after, "best_after", {0, 1},
                    "fraction of the epochs that must be over before one can be the best")),
      expert(integer(&Options::patience, "patience", {-1, kMost},
                     "stop after this many epochs without a better validation score; 0 = a sixth of the "
                     "epochs, -1 = never")),
      expert(on_off(&Options::refit, "refit",
                    "after calibration, continue training briefly with the held-out rows included; not "
                    "with a validation table of your own, nor with conformal calibration")),
  };
}

std::vector<Row> forecast() {
  return {
      integer(&Options::forest, "forest", {0, 10000},
              "trees of a random forest whose samples are blended in, with the weight that suits the "
              "validation rows; one target only; 0 = no forest"),
      choice(&Options::calibrate, "calibrate", {"none", "scale", "levels", "conformal"},
             "what is calibrated on the validation rows: scale = the spread and the forest's weight; "
             "levels = the tails and the 90% interval too; conformal = as levels, with the conformal "
             "guarantee for that interval"),
  };
}

std::vector<Row> run() {
  return {
      number(&Options::time_limit, "time_limit", {0, kMost},
             "seconds that training may take; the learning rate schedule ends in time; 0 = no limit"),
      expert(choice(&Options::precision, "precision", {"auto", "float32", "bfloat16"},
                    "number format of the hidden layers' matrix products in training: bfloat16 is faster "
                    "and needs a CPU with AVX-512 BF16; auto = bfloat16 where supported")),
      integer(&Options::seed, "seed", {0, 0x1p64}, "random seed: the same seed gives the same model"),
      integer(&Options::threads, "threads", {0, 4096},
              "threads; 0 = all cores the process may use; the model does not depend on it"),
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
  for (const Row& row : table())
    if (row.info.name == name) return row;
  bad_input("there is no option '{}'{}", name, did_you_mean(name, names()));
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
