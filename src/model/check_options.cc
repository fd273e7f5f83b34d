#include "model/check_options.h"

#include "base/error.h"
#include "engine/device.h"
#include "mirrorball/machine.h"

namespace mirrorball::model {

void check_options(const Options& options, std::size_t targets) {
  Options copy;
  for (const OptionInfo& info : option_list()) set_option(copy, info.name, get_option(options, info.name));
  if (options.precision == Precision::kBfloat16 &&
      !engine::choose_engine(options.device).engine->has_bfloat())
    bad_input(
        "precision bfloat16 needs a CPU with AVX-512 BF16, but this one supports {}: use precision auto",
        machine().cpu_level);
  if (options.valid_folds == 1)
    bad_input("1 fold leaves no rows to train on: use at least 2, or 0 for one hold-out");
  if (options.architecture == Network::kPoint) {
    if (options.calibrate == Calibrate::kConformal)
      bad_input(
          "calibrate conformal needs intervals, but a point network predicts one number: use another network "
          "or calibrate none");
    return;
  }
  const int dims = options.noise_dim > 0 ? options.noise_dim : static_cast<int>(targets);
  if (options.architecture == Network::kDnPlus && options.cosines < 2 * dims)
    bad_input("{} cosines are too few for {} noise dimensions: use at least {}", options.cosines, dims,
              2 * dims);
  if (options.fair && options.sampling == Sampling::kStratified)
    bad_input(
        "the fair energy score does not work with stratified sampling: use sampling independent, or fair "
        "false");
}

}  // namespace mirrorball::model
