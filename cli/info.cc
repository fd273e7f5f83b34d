#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/grouped.h"
#include "base/suggest.h"
#include "mirrorball/mirrorball.h"
#include "model_summary.h"
#include "output.h"
#include "progress_bar.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string machine_text(bool json) {
  const Machine here = machine();
  if (json)
    return Json{{"version", MIRRORBALL_VERSION},
                {"cpu", here.cpu_level},
                {"gemm", here.gemm},
                {"threads", here.cores}}
               .dump() +
           "\n";
  return fmt::format("mirrorball {}\n  CPU level  {}\n  products   {}\n  threads    {}\n", MIRRORBALL_VERSION,
                     here.cpu_level, here.gemm, here.cores);
}

std::string model_text(const std::string& path, const Model& model) {
  const Options& options = model.options();
  std::string text = fmt::format("{}\n", path);
  const auto line = [&](const char* title, const std::string& value) {
    text += fmt::format("  {:<14} {}\n", title, value);
  };
  line("targets", fmt::format("{}", fmt::join(model.targets(), ", ")));
  line("features", fmt::format("{}: {}", model.features().size(), listing(model.features(), 30)));
  const std::vector<std::string> plain = features_by_value(model);
  if (!plain.empty()) line("by value too", listing(plain, 30));
  line("trained on", grouped(model.training_rows()) + " rows");
  line("networks",
       fmt::format("{} x {} parameters ({}, width {}, {} layers, {})", model.history().size(),
                   grouped(model.parameters() / model.history().size()), get_option(options, "network"),
                   options.width, options.layers, get_option(options, "activation")));
  for (std::size_t i = 0; i < model.history().size(); ++i) {
    const NetworkHistory& network = model.history()[i];
    const auto best = static_cast<std::size_t>(network.best_epoch);
    line(i == 0 ? "validation" : "",
         fmt::format("score {:.5f} at epoch {} of {}{}", network.valid[best - 1], best, network.valid.size(),
                     network.stopped ? " (interrupted)"
                     : network.refit ? ", then all rows"
                                     : ""));
  }
  const std::vector<std::string> calibration = calibration_lines(model);
  for (std::size_t i = 0; i < calibration.size(); ++i) line(i == 0 ? "calibration" : "", calibration[i]);
  const Plan& plan = model.plan();
  if (plan.training_rows > 0) {
    text += "plan\n" + to_text(plan);
  } else {
    line("plan", "not recorded: the file was written by version 0.1");
  }
  text += "options\n";
  const Options defaults;
  for (const OptionInfo& info : option_list()) {
    if (info.name == "threads") continue;
    const std::string value = get_option(options, info.name);
    text += fmt::format("  {:<18} {}{}\n", info.name, value,
                        value == get_option(defaults, info.name) ? "" : "  *");
  }
  return text + "  (* not the default)\n";
}

}  // namespace

void add_info(CLI::App& app) {
  struct InfoFlags {
    std::string model;
    bool json = false;
  };
  auto flags = std::make_shared<InfoFlags>();
  CLI::App* verb = app.add_subcommand("info", "Tell about a model, or about this machine");
  verb->add_option("model", flags->model, "Model file; without it, this machine");
  verb->add_flag("--json", flags->json, "Write JSON: for a model, the header of its file");
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
