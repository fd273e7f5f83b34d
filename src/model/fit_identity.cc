#include "model/fit_identity.h"

#include <fmt/format.h>

#include "base/fingerprint.h"
#include "group/together.h"
#include "mirrorball/options.h"
#include "mirrorball/version.h"
#include "model/plan_json.h"

namespace mirrorball::model {
namespace {

using Json = nlohmann::ordered_json;

Json options_as_text(const Options& options) {
  Json json;
  for (const OptionInfo& info : option_list())
    if (info.stored) json[info.name] = get_option(options, info.name);
  return json;
}

Json roles_json(const Roles& roles) {
  return {{"target", roles.targets}, {"weight", roles.weight},
          {"ignore", roles.ignore},  {"valid-by", roles.valid_by},
          {"group", roles.group},    {"group is a feature", roles.group_is_feature}};
}

std::uint64_t fingerprint(const train::TrainingRows& rows) {
  Fingerprint print;
  print.add(rows.inputs.numbers.span());
  print.add(rows.inputs.codes.span());
  print.add(rows.targets.span());
  print.add(rows.weights.span());
  print.add(rows.observed.span());
  for (const auto* which : {&rows.train, &rows.valid, &rows.conformal})
    print.add(std::span<const rows::RowNumber>(*which));
  if (rows.cache) {
    const std::uint64_t cached = rows.cache->fingerprint();
    print.add(&cached, sizeof cached);
  }
  for (const std::vector<rows::RowNumber>& fold : rows.folds)
    print.add(std::span<const rows::RowNumber>(fold));
  return print.value();
}

/// The first entry that differs, with both values.
std::string first_difference(const Json& there, const Json& here) {
  for (const auto& [name, value] : here.items())
    if (!there.contains(name) || there[name] != value)
      return fmt::format("{} is {} there and {} here", name,
                         there.contains(name) ? there[name].dump() : "not set", value.dump());
  return "";
}

}  // namespace

Json fit_identity(const Options& options, const Roles& roles, const Plan& plan,
                  const train::TrainingRows& rows) {
  return {{"mirrorball", MIRRORBALL_VERSION},
          {"options", options_as_text(options)},
          {"roles", roles_json(roles)},
          {"rows", rows.cache ? rows.cache->rows() + rows.valid.size() : rows.inputs.rows},
          {"plan", plan_json(plan)},
          {"table", fmt::format("{:016x}", fingerprint(rows))}};
}

std::string difference(const Json& there, const Json& here) {
  if (there == here) return "";
  const auto part = [](const Json& of, const char* name) { return of.contains(name) ? of[name] : Json(); };
  for (const char* name : {"options", "roles"})
    if (const std::string words = first_difference(part(there, name), part(here, name)); !words.empty())
      return words;
  if (part(there, "mirrorball") != part(here, "mirrorball"))
    return fmt::format("it was written by version {}, this is {}", part(there, "mirrorball").dump(),
                       part(here, "mirrorball").dump());
  if (part(there, "rows") != part(here, "rows"))
    return fmt::format("the table has {} rows there and {} here", part(there, "rows").dump(),
                       part(here, "rows").dump());
  // Another sample of the same table, for want of as much memory, is told by its size.
  const Json plan = part(there, "plan"), own_plan = part(here, "plan");
  if (part(plan, "sample_rows") != part(own_plan, "sample_rows"))
    return fmt::format(
        "the sample of a table larger than memory has {} rows there and {} here (null: the table fits): give "
        "the same memory",
        part(plan, "sample_rows").dump(), part(own_plan, "sample_rows").dump());
  if (part(there, "table") != part(here, "table")) return "the table has other values here";
  return first_difference(part(there, "plan"), part(here, "plan"));
}

void check_same_fit(const group::Group& group, const Options& options, const Roles& roles, const Plan& plan,
                    const train::TrainingRows& rows) {
  if (group.size() == 1) return;
  const Json identity = fit_identity(options, roles, plan, rows);
  group::check_same(group, identity["options"].dump() + identity["roles"].dump(), "other options");
  group::check_same(group, identity.dump(), "another table");
}

}  // namespace mirrorball::model
