#include "training.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "interrupt.h"
#include "layout.h"
#include "model_summary.h"
#include "output.h"
#include "paint.h"
#include "processes.h"
#include "progress_bar.h"

namespace mirrorball::cli {
namespace {

/// Characters of "calibration: ".
constexpr std::size_t kLabel = 13;

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
  const Paint paint = Paint::err();
  const std::string trained = fmt::format(
      "trained {} network{} of {} parameters in {}: validation energy score {:.4f}, best epoch{} {}",
      networks, networks == 1 ? "" : "s", grouped(model.parameters() / networks), duration(seconds), score,
      networks == 1 ? "" : "s", epochs);
  say(wrapped(trained, 0, 2, paint.width()) + "\n");
  const std::vector<std::string> calibration = calibration_lines(model);
  for (const std::string& line : calibration)
    say(fmt::format("calibration: {}\n", wrapped(line, kLabel, kLabel, paint.width())));
  const Options& options = model.options();
  if (calibration.empty() && options.calibrate != Calibrate::kNone)
    say(options.architecture == Network::kPoint ? "not calibrated: a point network predicts a single number\n"
                                                : "not calibrated: fewer than 30 validation rows\n");
  const std::vector<std::string> report = fit_report_lines(model, paint);
  say(fmt::format("{} {}\n", paint.bold("held-out error:"), report[0]));
  for (std::size_t i = 1; i < report.size(); ++i) say(fmt::format("  {}\n", report[i]));
  for (const std::string& weak : weak_fits(model.fit_report())) warn(weak);
}

}  // namespace

Model train_with_bar(const Fitting& fitting, const Options& options, const Words& words) {
  const auto start = std::chrono::steady_clock::now();
  const double waited = group::default_group().waited();
  const double spent = std::chrono::duration<double>(start - words.start).count();
  catch_interrupts();
  ProgressBar bar(words.progress);
  bool begun = false;
  int networks = options.networks;  // the plan may have more
  const auto begin = [&] { say(words.first + share_of_work(group::default_group(), networks)); };
  const ProgressCallback progress = [&](const Progress& now) {
    if (words.quiet) return !interrupted();
    networks = now.networks;
    if (!std::exchange(begun, true)) begin();
    bar.show(now);
    return !interrupted();
  };
  if (!words.quiet && options.time_limit > 0 && spent > options.time_limit)
    warn(fmt::format("reading took {}, more than the time limit of {}: training is as short as possible",
                     duration(spent), duration(options.time_limit)));
  Model model = fitting(progress, spent);
  bar.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!words.quiet && !begun) begin();  // over before there was any progress to show
  if (words.quiet) return model;
  show_summary(model, networks, seconds);
  if (const group::Group& group = group::default_group(); group.size() > 1)
    say(fmt::format("process 0 waited for data of the other processes: {}\n",
                    duration(group.waited() - waited)));
  return model;
}

Model train_with_bar(Table train, std::optional<Table> valid, const Roles& roles, const Options& options,
                     const Words& words) {
  const Fitting fitting = [&](const ProgressCallback& progress, double spent) {
    return valid ? fit(std::move(train), std::move(*valid), roles, options, progress, spent, words.checkpoint)
                 : fit(std::move(train), roles, options, progress, spent, words.checkpoint);
  };
  return train_with_bar(fitting, options, words);
}

}  // namespace mirrorball::cli
