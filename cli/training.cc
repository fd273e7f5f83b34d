#include "training.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "interrupt.h"
#include "model_summary.h"
#include "output.h"
#include "progress_bar.h"

namespace mirrorball::cli {
namespace {

void show_summary(const Model& model, int networks_wanted, double seconds) {
  double score = 0;
  std::string epochs;
  for (const NetworkHistory& network : model.history()) {
    const auto best = static_cast<std::size_t>(network.best_epoch);
    score += network.valid[best - 1] / static_cast<double>(model.history().size());
    epochs += fmt::format("{}{}", epochs.empty() ? "" : ", ", best);
  }
  const std::size_t networks = model.history().size();
  if (interrupted())
    say(fmt::format("interrupted: keeping the best weights so far ({} of {} network{})\n", networks,
                    networks_wanted, networks_wanted == 1 ? "" : "s"));
  say(fmt::format("trained {} network{} of {} parameters in {}: score {:.4f}, best epoch{} {}\n", networks,
                  networks == 1 ? "" : "s", grouped(model.parameters() / networks), duration(seconds), score,
                  networks == 1 ? "" : "s", epochs));
  const std::vector<std::string> calibration = calibration_lines(model);
  for (const std::string& line : calibration) say(fmt::format("calibration: {}\n", line));
  const Options& options = model.options();
  if (calibration.empty() && options.calibrate != Calibrate::kNone)
    say(options.network == Network::kPoint ? "not calibrated: a point network gives one number\n"
                                           : "not calibrated: that takes 30 validation rows or more\n");
}

}  // namespace

Model train_with_bar(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                     const Words& words) {
  const auto start = std::chrono::steady_clock::now();
  catch_interrupts();
  ProgressBar bar;
  bool begun = false;
  const ProgressCallback progress = [&](const Progress& now) {
    if (words.quiet) return !interrupted();
    if (!std::exchange(begun, true)) say(words.first);
    bar.show(now);
    return !interrupted();
  };
  Model model = valid ? fit(std::move(train), std::move(*valid), roles, options, progress)
                      : fit(std::move(train), roles, options, progress);
  bar.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!words.quiet && !begun) say(words.first);  // over before there was any progress to show
  if (!words.quiet) show_summary(model, options.members, seconds);
  return model;
}

}  // namespace mirrorball::cli
