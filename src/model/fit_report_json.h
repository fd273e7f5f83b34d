#pragma once

#include <nlohmann/json.hpp>

#include "mirrorball/fit_report.h"

namespace mirrorball::model {

/// A fit report as the model file has it, and back. A file without rows to report on has none.
nlohmann::ordered_json fit_report_json(const FitReport& report);
FitReport load_fit_report(const nlohmann::ordered_json& json);

}  // namespace mirrorball::model
