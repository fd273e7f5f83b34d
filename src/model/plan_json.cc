#include "model/plan_json.h"

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "model/json_number.h"
#include "plan/fields.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

/// A plan settles options; what they may not ask for, it cannot have settled, but for one noise dimension per
/// target. Below, only a network without layers matters: of most others a plan may have none.
void check_limits(const std::string& name, double value) {
  for (const OptionInfo& info : option_list())
    if (info.name == name && name != "noise_dim" && info.kind == "integer" && value > info.high)
      bad_input("its plan has {} {}, but at most {} is possible", name, value, info.high);
  if ((name == "layers" || name == "width") && value < 1)
    bad_input("its plan has {} {}, but a network needs at least 1", name, value);
}

template <class Field>
Field load_field(const Json& json, const std::string& name) {
  if constexpr (std::is_enum_v<Field>) {
    const std::vector<std::string>& words = plan::choices_of(name);
    const auto found = std::find(words.begin(), words.end(), json.get<std::string>());
    if (found == words.end()) bad_input("its plan has an unknown {} '{}'", name, json.get<std::string>());
    return static_cast<Field>(found - words.begin());
  } else {
    if constexpr (std::is_integral_v<Field> && !std::is_same_v<Field, bool>) {
      const Field value = whole_number<Field>(json, name.c_str());
      if (std::cmp_less(value, 0)) bad_input("its plan has {} {}, which is below 0", name, value);
      check_limits(name, static_cast<double>(value));
      return value;
    } else {
      return json.get<Field>();
    }
  }
}

/// Of fits from a cache alone.
bool is_of_cache(std::string_view name) { return name == "sample_rows" || name == "shuffled_rows"; }

/// A plan may lack this field; the default of `Plan` is then what was done.
bool may_lack(std::string_view name) {
  return name == "prediction_noise" || name == "boosting" || name == "boost_rows" ||
         name == "neighbour_rows" || is_of_cache(name);
}

}  // namespace

Json plan_json(const Plan& plan) {
  Json json;
  plan::each_field(plan, [&](const char* name, const auto& field) {
    if (is_of_cache(name) && plan.sample_rows == 0) return;
    if constexpr (std::is_enum_v<std::decay_t<decltype(field)>>) {
      json[name] = plan::choices_of(name)[static_cast<std::size_t>(field)];
    } else {
      json[name] = field;
    }
  });
  return json;
}

Plan load_plan(const Json& json) {
  Plan plan;
  plan::each_field(plan, [&](const char* name, auto& field) {
    if (may_lack(name) && !json.contains(name)) return;
    field = load_field<std::decay_t<decltype(field)>>(json.at(name), name);
  });
  return plan;
}

std::vector<InputPlan> plan_inputs(const encode::Encoder& encoder) {
  std::vector<InputPlan> inputs;
  for (const encode::Feature& feature : encoder.features())
    inputs.push_back({feature.name, feature.type, feature.transform.kind(), feature.plain.has_value(),
                      feature.categories.size(), feature.missing, feature.cycles.cycles()});
  return inputs;
}

std::vector<TargetPlan> plan_targets(const std::vector<std::string>& names,
                                     const std::vector<encode::NumberTransform>& transforms) {
  std::vector<TargetPlan> targets;
  for (std::size_t t = 0; t < names.size(); ++t) targets.push_back({names[t], transforms[t].kind()});
  return targets;
}

}  // namespace mirrorball::model
