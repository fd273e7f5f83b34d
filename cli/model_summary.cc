#include "model_summary.h"

#include <fmt/format.h>

#include <cmath>

#include "base/grouped.h"
#include "base/plain_number.h"
#include "mirrorball/plan.h"

namespace mirrorball::cli {
namespace {

std::string rows_scored(const FitReport& report) {
  return fmt::format("{} {} row{}", grouped(report.rows), report.conformal_rows ? "conformal" : "validation",
                     report.rows == 1 ? "" : "s");
}

std::string why_no_report(const Plan& plan) {
  if (plan.training_rows == 0) return "not recorded: the file was written by version 0.1";
  if (plan.validation_rows == 0) return "not estimated, because all rows were used for training";
  return fmt::format("not estimated, because {} validation row{} too few", plan.validation_rows,
                     plan.validation_rows == 1 ? " is" : "s are");
}

std::string number(double value, const Paint& paint) { return paint.bold(plain_number(value)); }

std::string crps_text(const TargetFit& target, const Paint& paint) {
  const double percent = std::round(100 * target.skill()) + 0.0;  // never -0
  return fmt::format("{}, skill {:.0f}% (training distribution {})", number(target.crps, paint), percent,
                     plain_number(target.training_crps));
}

std::string interval_text(const TargetFit& target, const Paint& paint) {
  return fmt::format("covers {}, mean width {}", paint.bold(fmt::format("{:.1f}%", 100 * target.coverage)),
                     plain_number(target.width));
}

}  // namespace

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
    if (target.process_weight > 0)
      line += fmt::format(", Gaussian process weight {:.0f}%", 100 * target.process_weight);
    if (target.neighbour_weight > 0)
      line += fmt::format(", neighbours weight {:.0f}%", 100 * target.neighbour_weight);
    if (target.boost_weight > 0)
      line += fmt::format(", boosted trees weight {:.0f}%", 100 * target.boost_weight);
    if (target.tail_weight > 0)
      line += fmt::format(", heavy tails {:.0f}% at ×{:.0f}", 100 * target.tail_weight, target.tail_spread);
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> fit_report_lines(const Model& model, const Paint& paint) {
  const FitReport& report = model.fit_report();
  if (report.rows == 0) return {why_no_report(model.plan())};
  std::vector<std::string> lines = {rows_scored(report)};
  for (const TargetFit& target : report.targets) {
    if (report.targets.size() > 1) {
      lines.push_back(fmt::format("{}: CRPS {}, MAE {}", target.name, crps_text(target, paint),
                                  number(target.mae, paint)));
      lines.push_back(fmt::format("{}: 90% interval {}", target.name, interval_text(target, paint)));
    } else if (model.noisy()) {
      lines.push_back("CRPS           " + crps_text(target, paint));
      lines.push_back("MAE of median  " + number(target.mae, paint));
      lines.push_back("90% interval   " + interval_text(target, paint));
    } else {
      lines.push_back("MAE            " + number(target.mae, paint));
    }
  }
  return lines;
}

}  // namespace mirrorball::cli
