#include "model/plan_json.h"

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "plan/fields.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

template <class Field>
Field load_field(const Json& json, const std::string& name) {
  if constexpr (std::is_enum_v<Field>) {
    const std::vector<std::string>& words = plan::choices_of(name);
    const auto found = std::find(words.begin(), words.end(), json.get<std::string>());
    if (found == words.end())
      bad_input("its plan has {} '{}', which is not known", name, json.get<std::string>());
    return static_cast<Field>(found - words.begin());
  } else {
    const Field value = json.get<Field>();
    if constexpr (std::is_same_v<Field, int>)
      if (value < 0) bad_input("its plan has {} {}, which is below 0", name, value);
    return value;
  }
}

}  // namespace

Json plan_json(const Plan& plan) {
  Json json;
  plan::each_field(plan, [&](const char* name, const auto& field) {
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
    field = load_field<std::decay_t<decltype(field)>>(json.at(name), name);
  });
  return plan;
}

std::vector<InputPlan> plan_inputs(const encode::Encoder& encoder) {
  std::vector<InputPlan> inputs;
  for (const encode::Feature& feature : encoder.features())
    inputs.push_back({feature.name, feature.type, feature.transform.kind(), feature.plain.has_value(),
                      feature.categories.size(), feature.missing});
  return inputs;
}

}  // namespace mirrorball::model
