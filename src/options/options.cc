#include "mirrorball/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <variant>

#include "base/error.h"
#include "base/suggest.h"

namespace mirrorball {
namespace {

using Field =
    std::variant<int Options::*, double Options::*, bool Options::*, std::uint64_t Options::*,
                 Network Options::*, Activation Options::*, Sampling Options::*, Transform Options::*,
                 Schedule Options::*, Precision Options::*, Calibrate Options::*>;

struct Row {
  Field field;
  OptionInfo info;
};

constexpr double kMost = 1e9;

/// The one table of options: order, names, ranges and words are taken from here everywhere.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {&Options::network,
       {"network",
        "network",
        "choice",
        "dnplus embeds the noise and multiplies it in; disco appends it to the inputs; point has none and "
        "learns "
        "the mean",
        {"dnplus", "disco", "point"}}},
      {&Options::members,
       {"members",
        "network",
        "integer",
        "networks trained from different starts, whose draws are pooled",
        {},
        1,
        1000}},
      {&Options::width, {"width", "network", "integer", "units in every hidden layer", {}, 1, 4096}},
      {&Options::layers,
       {"layers", "network", "integer", "hidden layers after the noise is merged in", {}, 1, 64}},
      {&Options::activation,
       {"activation",
        "network",
        "choice",
        "activation of the layers",
        {"relu", "selu", "tanh", "gcu", "silu"}}},
      {&Options::activate_input,
       {"activate_input",
        "network",
        "switch",
        "put the activation on the inputs' layer too (dnplus; the others always do)",
        {}}},
      {&Options::noise_dim,
       {"noise_dim", "network", "integer", "noise dimensions; 0 takes the number of targets", {}, 0, 1024}},
      {&Options::cosines,
       {"cosines",
        "network",
        "integer",
        "cosines that embed the noise, shared among its dimensions, at least 2 for each",
        {},
        1,
        4096}},

      {&Options::waves,
       {"waves",
        "network",
        "integer",
        "waves of learned frequency that embed each number feature, beside the number; 0 takes it as it is; "
        "-1 "
        "is 24, or none for a single feature",
        {},
        -1,
        1024}},
      {&Options::wave_low,
       {"wave_low",
        "network",
        "number",
        "typical frequency of the slowest waves at the start",
        {},
        1e-6,
        1000}},
      {&Options::wave_high,
       {"wave_high",
        "network",
        "number",
        "typical frequency of the fastest waves at the start; those between run geometrically",
        {},
        1e-6,
        1000}},
      {&Options::damp_waves,
       {"damp_waves", "network", "switch", "give fast waves less weight in every second network", {}}},

      {&Options::draws,
       {"draws",
        "loss",
        "integer",
        "draws per row in a training step; 0 takes 6 with one noise dimension, 16 with several",
        {},
        0,
        4096}},
      {&Options::sampling,
       {"sampling",
        "loss",
        "choice",
        "how the draws of a row are taken; auto is stratified with one noise dimension, independent with "
        "several or with fair",
        {"auto", "independent", "stratified"}}},
      {&Options::noise_grid,
       {"noise_grid",
        "loss",
        "integer",
        "noise values a step has to share (times 4 for several noise dimensions); 0 gives every draw its own",
        {},
        0,
        65536}},
      {&Options::alpha,
       {"alpha",
        "loss",
        "number",
        "exponent of the distances in the energy score, inside (0, 2)",
        {},
        1e-3,
        1.999}},
      {&Options::fair,
       {"fair", "loss", "switch", "weight the pairs of draws by 1/(2N(N-1)) instead of 1/(2N^2)", {}}},

      {&Options::input_transform,
       {"input_transform",
        "data",
        "choice",
        "transform of number features: quantile to a normal distribution, its ends at +-5.2; scores the same "
        "with half a knot beyond the ends, which then lie near their neighbours; standard to mean 0 and "
        "deviation 1; even by its range; auto is even for a feature spread evenly over its range, else "
        "scores",
        {"quantile", "standard", "scores", "even", "auto"}}},
      {&Options::target_transform,
       {"target_transform",
        "data",
        "choice",
        "transform of the targets; quantile and scores keep draws inside the training range, standard can "
        "leave it",
        {"quantile", "standard", "scores"}}},
      {&Options::quantiles,
       {"quantiles", "data", "integer", "knots of a quantile transform, at most", {}, 2, 100000}},
      {&Options::plain_numbers,
       {"plain_numbers",
        "data",
        "integer",
        "number features that enter by their ranks (quantile, scores) enter by their values too, softly "
        "clipped, where there are 2 to this many number features and at least 2000 rows; 0 never",
        {},
        0,
        1000000}},
      {&Options::max_levels,
       {"max_levels", "data", "integer", "levels kept per category, the most frequent ones", {}, 1, 1000000}},
      {&Options::order_levels,
       {"order_levels",
        "data",
        "switch",
        "start what is learned of a category's levels in the order of their mean targets",
        {}}},

      {&Options::epochs,
       {"epochs",
        "training",
        "integer",
        "passes over the training rows; 0 takes 12, raised until there are min_steps steps",
        {},
        0,
        kMost}},
      {&Options::min_steps,
       {"min_steps",
        "training",
        "integer",
        "epochs are raised until there are this many steps, or 6 a row; -1 takes 4000 where epochs are "
        "automatic, "
        "else 0",
        {},
        -1,
        kMost}},
      {&Options::batch,
       {"batch",
        "training",
        "integer",
        "rows per step, at most; 0 takes 32 below 2000 rows, else 100, and with more than 50,000 a 500th of "
        "them, up to "
        "400",
        {},
        0,
        kMost}},
      {&Options::learning_rate, {"learning_rate", "training", "number", "Adam's step size", {}, 1e-9, 10}},
      {&Options::schedule,
       {"schedule",
        "training",
        "choice",
        "how the learning rate runs over the steps",
        {"constant", "cosine"}}},
      {&Options::warmup,
       {"warmup",
        "training",
        "number",
        "share of the steps over which a cosine schedule rises first",
        {},
        0,
        1}},
      {&Options::beta1,
       {"beta1", "training", "number", "Adam's decay of the gradient's mean", {}, 0, 0.999999}},
      {&Options::beta2,
       {"beta2", "training", "number", "Adam's decay of the gradient's square", {}, 0, 0.999999}},
      {&Options::averaging,
       {"averaging",
        "training",
        "number",
        "decay of the running average of the weights; 0 is off",
        {},
        0,
        0.999999}},
      {&Options::init_sd,
       {"init_sd",
        "training",
        "number",
        "draw all starting weights from N(0, sd^2); 0 takes the uniform rule of 1/sqrt(inputs)",
        {},
        0,
        100}},
      {&Options::valid_fraction,
       {"valid_fraction",
        "training",
        "number",
        "share of rows held out for choosing the best epoch and for calibration",
        {},
        0,
        0.9}},
      {&Options::min_valid,
       {"min_valid",
        "training",
        "integer",
        "hold out this many rows at least, as long as that is no more than a fifth of them",
        {},
        0,
        kMost}},
      {&Options::valid_draws,
       {"valid_draws", "training", "integer", "draws per row in the validation score", {}, 1, 4096}},
      {&Options::best_after,
       {"best_after",
        "training",
        "number",
        "share of the epochs that must be over before one can be the best",
        {},
        0,
        1}},
      {&Options::patience,
       {"patience",
        "training",
        "integer",
        "stop after this many epochs without a better score; 0 takes a sixth of the epochs, -1 never stops",
        {},
        -1,
        kMost}},

      {&Options::refit,
       {"refit",
        "training",
        "switch",
        "train on for a while with the held-out rows among the others, once they have chosen and calibrated; "
        "not with validation rows of your own, nor with conformal calibration",
        {}}},

      {&Options::forest,
       {"forest",
        "forecast",
        "integer",
        "random trees whose leaves add draws, as many as the validation rows ask for; one target only",
        {},
        0,
        10000}},
      {&Options::calibrate,
       {"calibrate",
        "forecast",
        "choice",
        "what the validation rows correct: scale is the spread and the forest's share; levels the tails and "
        "the 90% interval too; conformal gives that interval its guarantee",
        {"none", "scale", "levels", "conformal"}}},

      {&Options::time_limit,
       {"time_limit",
        "run",
        "number",
        "seconds that training may take; the learning rate runs down in time; 0 is no limit",
        {},
        0,
        1e9}},
      {&Options::precision,
       {"precision",
        "run",
        "choice",
        "of the factors in the hidden layers' products in training: bfloat16 is faster but needs an "
        "AVX-512 BF16 CPU; auto takes it where there is one",
        {"auto", "float32", "bfloat16"}}},
      {&Options::seed, {"seed", "run", "integer", "same seed, same model", {}, 0, 0x1p64}},
      {&Options::threads,
       {"threads",
        "run",
        "integer",
        "threads; 0 takes all cores; the model does not depend on it",
        {},
        0,
        4096}},
  };
  return table;
}

std::vector<std::string> names_of_options() {
  std::vector<std::string> names;
  for (const Row& row : rows()) names.push_back(row.info.name);
  return names;
}

const Row& find(std::string_view name) {
  for (const Row& row : rows())
    if (row.info.name == name) return row;
  bad_input("there is no option '{}'{}", name, did_you_mean(name, names_of_options()));
}

template <class Number>
Number parse_number(const OptionInfo& info, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars takes no sign for an unsigned number: it stops at once, and -1 would look like a word
  const bool negative = std::is_unsigned_v<Number> && text.size() > 1 && text[0] == '-' &&
                        text.find_first_not_of("0123456789", 1) == text.npos;
  const bool beyond = negative || error == std::errc::result_out_of_range;
  if (!beyond && (error != std::errc() || end != text.data() + text.size()))
    bad_input("{} '{}' is not {} {}", info.name, text, info.kind == "integer" ? "an" : "a", info.kind);
  const double real = static_cast<double>(value);
  if (beyond || !(real >= info.low && real <= info.high))
    bad_input("{} {} is outside {:g} to {:g}", info.name, text, info.low, info.high);
  return value;
}

bool parse_switch(const OptionInfo& info, std::string_view text) {
  for (std::string_view yes : {"true", "1", "yes", "on"})
    if (text == yes) return true;
  for (std::string_view no : {"false", "0", "no", "off"})
    if (text == no) return false;
  bad_input("{} '{}' is neither true nor false", info.name, text);
}

int parse_choice(const OptionInfo& info, std::string_view text) {
  const auto found = std::find(info.choices.begin(), info.choices.end(), text);
  if (found == info.choices.end())
    bad_input("{} '{}' is not one of {}{}", info.name, text, listing(info.choices),
              did_you_mean(text, info.choices));
  return static_cast<int>(found - info.choices.begin());
}

}  // namespace

const std::vector<OptionInfo>& option_list() {
  static const std::vector<OptionInfo> list = [] {
    std::vector<OptionInfo> all;
    for (const Row& row : rows()) all.push_back(row.info);
    return all;
  }();
  return list;
}

std::string get_option(const Options& options, std::string_view name) {
  const Row& row = find(name);
  return std::visit(
      [&](auto member) -> std::string {
        const auto value = options.*member;
        if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
          return row.info.choices[static_cast<std::size_t>(value)];
        } else {
          return fmt::format("{}", value);
        }
      },
      row.field);
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  const Row& row = find(name);
  std::visit(
      [&](auto member) {
        using Value = std::decay_t<decltype(options.*member)>;
        if constexpr (std::is_enum_v<Value>) {
          options.*member = static_cast<Value>(parse_choice(row.info, value));
        } else if constexpr (std::is_same_v<Value, bool>) {
          options.*member = parse_switch(row.info, value);
        } else {
          options.*member = parse_number<Value>(row.info, value);
        }
      },
      row.field);
}

const std::vector<std::string>& preset_list() {
  static const std::vector<std::string> names = {"default", "paper", "disco", "point"};
  return names;
}

Options preset(std::string_view name) {
  Options options;
  if (name == "default") return options;
  // The paper's ten tables (section 3 of its experiments): one network, 100 independent draws, plain Adam.
  options.members = 1;
  options.input_transform = Transform::kQuantile;
  options.plain_numbers = 0;
  options.waves = 0;
  options.order_levels = false;
  options.min_valid = 0;
  options.best_after = 0;
  options.patience = -1;
  options.refit = false;
  options.forest = 0;
  options.calibrate = Calibrate::kNone;
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
  options.valid_draws = 100;
  if (name == "paper") return options;
  if (name == "disco") {
    options.network = Network::kDisco;
    return options;
  }
  if (name == "point") {
    options.network = Network::kPoint;
    return options;
  }
  bad_input("there is no preset '{}': it is one of {}{}", name, listing(preset_list()),
            did_you_mean(name, preset_list()));
}

}  // namespace mirrorball
