#include "model_words.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace mirrorball::cli {

std::vector<std::string> features_by_value(const Model& model) {
  const auto description = nlohmann::json::parse(model.description());
  std::vector<std::string> names;
  for (const auto& feature : description.at("features"))
    if (feature.value("plain", false)) names.push_back(feature.at("name"));
  return names;
}

std::vector<std::string> calibration_words(const Model& model) {
  const auto description = nlohmann::json::parse(model.description());
  std::vector<std::string> lines;
  for (const auto& one : description.at("calibration")) {
    const auto number = [&](const char* name) { return one.at(name).get<double>(); };
    std::string line = model.targets().size() > 1 ? model.targets()[lines.size()] + ": " : "";
    line += fmt::format("spread x {:.2f}, 90% interval x {:.2f}{}", number("factor"), number("level_factor"),
                        model.options().calibrate == Calibrate::kConformal ? " (conformal)" : "");
    if (number("forest_share") > 0)
      line += fmt::format(", {:.0f}% of the draws from the forest", 100 * number("forest_share"));
    if (number("tail_share") > 0)
      line += fmt::format(", {:.0f}% moved out x {:.0f}", 100 * number("tail_share"), number("tail_factor"));
    lines.push_back(line);
  }
  return lines;
}

}  // namespace mirrorball::cli
