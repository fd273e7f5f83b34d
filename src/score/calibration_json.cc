#include "score/calibration_json.h"

namespace mirrorball::scoring {

nlohmann::ordered_json calibration_json(const CalibrationCheck& check, bool curve) {
  nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
  for (const CalibrationCheck::Shape shape : check.shapes) shapes.push_back(name_of(shape));
  nlohmann::ordered_json json = {{"verdict", name_of(check.verdict)},
                                 {"shapes", shapes},
                                 {"words", check.words},
                                 {"largest", check.largest},
                                 {"largest_at", check.largest_at},
                                 {"bias", check.bias},
                                 {"spread", check.spread},
                                 {"below_median", check.below_median},
                                 {"values", check.values},
                                 {"ties", check.ties}};
  if (!curve) return json;
  json["level"] = check.levels;
  json["share"] = check.shares;
  json["low"] = check.low;
  json["high"] = check.high;
  return json;
}

}  // namespace mirrorball::scoring
