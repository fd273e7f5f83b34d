#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/grouped.h"
#include "layout.h"
#include "mirrorball/mirrorball.h"
#include "model_summary.h"
#include "output.h"
#include "paint.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Names in a list, and where lists begin.
constexpr std::size_t kMostNames = 30, kListIndent = 17;

std::string machine_text(bool json) {
  const Machine here = machine();
  const Gpus devices = gpus();
  if (json)
    return Json{{"version", MIRRORBALL_VERSION},
                {"cpu", here.cpu_level},
                {"gemm", here.gemm},
                {"precision", here.precision},
                {"precision_reason", here.precision_reason},
                {"threads", here.cores},
                {"gpus", devices.found}}
               .dump() +
           "\n";
  std::string text = fmt::format(
      "mirrorball {}\n  CPU level  {}\n  products   {}\n  precision  {} in training: {}\n  threads    {}\n",
      MIRRORBALL_VERSION, here.cpu_level, here.gemm, here.precision, here.precision_reason, here.cores);
  if (devices.found.empty())
    text += fmt::format("  GPU        none{}{}\n", devices.trouble.empty() ? "" : ": ", devices.trouble);
  for (const std::string& one : devices.found) text += fmt::format("  GPU        {}\n", one);
  return text;
}

/// "3: a, b, c", broken between names on a terminal.
std::string listed(const std::vector<std::string>& names, const Paint& paint) {
  const std::string count = fmt::format("{}: ", names.size());
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < names.size()) some.back() += fmt::format(" and {} more", names.size() - shown);
  return count + wrapped_list(some, kListIndent + count.size(), paint.width());
}

/// What a network's training came to.
std::string validation_text(const NetworkHistory& network) {
  const auto best = static_cast<std::size_t>(network.best_epoch);
  return fmt::format("energy score {:.5f} at epoch {} of {}{}", network.valid[best - 1], best,
                     network.valid.size(),
                     network.stopped ? " (interrupted)"
                     : network.refit ? ", then refit on all rows"
                                     : "");
}

/// All options that the file has.
std::string options_text(const Options& options) {
  std::string text;
  const Options defaults;
  for (const OptionInfo& info : option_list()) {
    if (!info.stored) continue;
    const std::string value = get_option(options, info.name);
    text += fmt::format("  {:<18} {}{}\n", info.name, value,
                        value == get_option(defaults, info.name) ? "" : "  *");
  }
  return text + "  (* not the default)\n";
}

std::string model_text(const std::string& path, const Model& model) {
  const Options& options = model.options();
  const Paint paint = Paint::out();
  std::string text = paint.bold(path) + "\n";
  const auto line = [&](const char* title, const std::string& value) {
    text += fmt::format("  {} {}\n", paint.dim(fmt::format("{:<14}", title)), value);
  };
  const auto lines = [&](const char* title, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) line(i == 0 ? title : "", values[i]);
  };
  line("targets", fmt::format("{}", fmt::join(model.targets(), ", ")));
  line("features", listed(model.features(), paint));
  const std::vector<std::string> plain = features_by_value(model);
  if (!plain.empty()) line("by value too", listed(plain, paint));
  line("trained on", grouped(model.training_rows()) + " rows");
  line("networks",
       fmt::format("{} x {} parameters ({}, width {}, {} layers, {})", model.history().size(),
                   grouped(model.parameters() / model.history().size()), get_option(options, "architecture"),
                   options.width, options.layers, get_option(options, "activation")));
  std::vector<std::string> validation, calibration = calibration_lines(model);
  for (const NetworkHistory& network : model.history()) validation.push_back(validation_text(network));
  for (std::string& one : calibration) one = wrapped(one, kListIndent, kListIndent, paint.width());
  lines("validation", validation);
  lines("calibration", calibration);
  lines("held-out error", fit_report_lines(model, paint));
  const Plan& plan = model.plan();
  if (plan.training_rows > 0) {
    text += paint.bold("plan") + "\n" + wrapped_lines(to_text(plan), kPlanIndent, paint.width());
  } else {
    line("plan", "not recorded: the file was written by version 0.1");
  }
  return text + paint.bold("options") + "\n" + options_text(options);
}

}  // namespace

void add_info(CLI::App& app) {
  struct InfoFlags {
    std::string model;
    bool json = false;
  };
  auto flags = std::make_shared<InfoFlags>();
  CLI::App* verb = app.add_subcommand("info", "Print details of a model, or of this machine");
  verb->add_option("model", flags->model, "Model file; default: describe this machine");
  verb->add_flag("--json", flags->json, "Write JSON; for a model, the header of its file");
  verb->callback([flags] {
    std::string text;
    if (flags->model.empty()) {
      text = machine_text(flags->json);
    } else {
      const Model model = Model::load(flags->model);
      text = flags->json ? model.description() + "\n" : model_text(flags->model, model);
    }
    write_result("", [&](std::ostream& out) { out << text; });
  });
}

}  // namespace mirrorball::cli
