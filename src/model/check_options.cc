#include "model/check_options.h"

#include "base/error.h"
#include "engine/engine.h"
#include "mirrorball/machine.h"

namespace mirrorball::model {

void check_options(const Options& options, std::size_t targets) {
  Options copy;
  for (const OptionInfo& info : option_list()) set_option(copy, info.name, get_option(options, info.name));
  if (options.precision == Precision::kBfloat16 && !engine::default_engine().has_bfloat())
    bad_input("precision bfloat16 needs a CPU with AVX-512 BF16, and this one runs at level {}: use auto",
              machine().cpu_level);
  if (options.network == Network::kPoint) {
    if (options.calibrate == Calibrate::kConformal)
      bad_input(
          "calibrate conformal promises an interval, and a point network gives one number: take another "
          "network, or leave calibrate out");
    return;
  }
  const int dims = options.noise_dim > 0 ? options.noise_dim : static_cast<int>(targets);
  if (options.network == Network::kDnPlus && options.cosines < 2 * dims)
    bad_input(
        "{} cosines among {} noise dimensions are too few, the first of each being constant: at least {}",
        options.cosines, dims, 2 * dims);
  if (options.fair && options.sampling == Sampling::kStratified)
    bad_input(
        "the fair weights make stratified draws spread too far: use sampling independent, or fair false");
}

}  // namespace mirrorball::model
