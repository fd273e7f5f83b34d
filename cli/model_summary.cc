#include "model_summary.h"

#include <fmt/format.h>

namespace mirrorball::cli {

std::vector<std::string> features_by_value(const Model& model) {
  std::vector<std::string> names;
  for (const ColumnSchema& feature : model.schema().features)
    if (feature.by_value) names.push_back(feature.name);
  return names;
}

std::vector<std::string> calibration_lines(const Model& model) {
  const bool conformal = model.options().calibrate == Calibrate::kConformal;
  std::vector<std::string> lines;
  for (const Calibration& target : model.calibration()) {
    std::string line = model.targets().size() > 1 ? model.targets()[lines.size()] + ": " : "";
    line += fmt::format("spread ×{:.2f}, 90% interval ×{:.2f}{}", target.spread, target.interval,
                        conformal ? " (conformal)" : "");
    if (target.forest_weight > 0) line += fmt::format(", forest weight {:.0f}%", 100 * target.forest_weight);
    if (target.tail_weight > 0)
      line += fmt::format(", heavy tails {:.0f}% at ×{:.0f}", 100 * target.tail_weight, target.tail_spread);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace mirrorball::cli
