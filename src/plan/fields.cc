#include "plan/fields.h"

#include <algorithm>

namespace mirrorball::plan {

const std::vector<std::string>& choices_of(std::string_view field) {
  const auto& all = option_list();
  return std::find_if(all.begin(), all.end(), [&](const OptionInfo& one) { return one.name == field; })
      ->choices;
}

const char* word_of(DateCycle cycle) {
  return cycle == DateCycle::kDay ? "day" : cycle == DateCycle::kWeek ? "week" : "year";
}

}  // namespace mirrorball::plan
