#include "model/fit_report_json.h"

#include <cmath>

#include "base/error.h"

namespace mirrorball {
namespace model {
namespace {

using ReportJson = nlohmann::ordered_json;

double score_at(const ReportJson& json, const char* name, double most) {
  const double value = json.at(name).get<double>();
  if (!(value >= 0 && value <= most))
    bad_input("its fit report has {} {}, which is not possible", name, value);
  return value;
}

}  // namespace

ReportJson fit_report_json(const FitReport& report) {
  ReportJson json = {{"rows", report.rows},
                     {"kind", report.conformal_rows ? "conformal" : "validation"},
                     {"cross_fitted", report.cross_fitted},
                     {"targets", ReportJson::object()}};
  for (const TargetFit& target : report.targets)
    json["targets"][target.name] = {{"crps", target.crps},
                                    {"mae", target.mae},
                                    {"coverage_90", target.coverage},
                                    {"width_90", target.width},
                                    {"training_crps", target.training_crps},
                                    {"skill", target.skill()}};
  return json;
}

FitReport load_fit_report(const ReportJson& json) {
  FitReport report;
  report.rows = json.at("rows").get<std::size_t>();
  report.conformal_rows = json.at("kind").get<std::string>() == "conformal";
  report.cross_fitted = json.at("cross_fitted").get<bool>();
  for (const auto& [name, one] : json.at("targets").items())
    report.targets.push_back({name, score_at(one, "crps", HUGE_VAL), score_at(one, "mae", HUGE_VAL),
                              score_at(one, "coverage_90", 1 + 1e-9), score_at(one, "width_90", HUGE_VAL),
                              score_at(one, "training_crps", HUGE_VAL)});
  return report;
}

}  // namespace model

std::string to_json(const FitReport& report) {
  return report.rows > 0 ? model::fit_report_json(report).dump() : "null";
}

}  // namespace mirrorball
