#include <memory>
#include <optional>
#include <utility>

#include "mirrorball/model.h"
#include "model/fit_parts.h"
#include "work.h"

namespace mirrorball::binding {
namespace {

/// A table that was fitted is used up, but still one.
Table take(Table& table) { return std::exchange(table, Table()); }

/// Shared, because std::function wants to be copied.
std::shared_ptr<model::FitTables> taken(Table* train, Table* valid) {
  auto tables = std::make_shared<model::FitTables>(model::FitTables{take(*train), std::nullopt});
  if (valid) tables->valid = take(*valid);
  return tables;
}

Roles roles_of(Texts targets, Text weight, Text group, Text valid_by, Texts ignore) {
  return {.targets = targets.list(),
          .weight = weight.string(),
          .ignore = ignore.list(),
          .valid_by = valid_by.string(),
          .group = group.string()};
}

}  // namespace

/// Starts a fit, which uses up the tables.
MIRRORBALL_BORDER Failure* mirrorball_fit(Table* train, Table* valid, Texts targets, Text weight, Text group,
                                          Text valid_by, Texts ignore, const Options* options, Work** out) {
  return guarded([&] {
    const Roles roles = roles_of(targets, weight, group, valid_by, ignore);
    auto tables = taken(train, valid);
    *out = new WorkFor<Model>([tables, roles, options = *options](const Work::Tell& tell) {
      return tables->valid ? fit(std::move(tables->train), *std::move(tables->valid), roles, options, tell)
                           : fit(std::move(tables->train), roles, options, tell);
    });
  });
}

/// Starts the training of one network of a phase of a fit, given `parts` that are there already.
MIRRORBALL_BORDER Failure* mirrorball_fit_part(Table* train, Table* valid, Texts targets, Text weight,
                                               Text group, Text valid_by, Texts ignore,
                                               const Options* options, Text phase, std::size_t network,
                                               Text parts, Work** out) {
  return guarded([&] {
    const Roles roles = roles_of(targets, weight, group, valid_by, ignore);
    auto tables = taken(train, valid);
    *out = new WorkFor<std::string>([tables, roles, options = *options, phase = phase.string(), network,
                                     parts = parts.string()](const Work::Tell& tell) {
      return model::fit_part(std::move(*tables), roles, options, tell, phase,
                             static_cast<std::uint32_t>(network), parts);
    });
  });
}

MIRRORBALL_BORDER Failure* mirrorball_fit_part_bytes(Work* work, std::string** out) {
  return guarded([&] { give(static_cast<WorkFor<std::string>*>(work)->take(), out); });
}

/// Starts the fit of a model from its parts.
MIRRORBALL_BORDER Failure* mirrorball_fit_of_parts(Table* train, Table* valid, Texts targets, Text weight,
                                                   Text group, Text valid_by, Texts ignore,
                                                   const Options* options, Text parts, Work** out) {
  return guarded([&] {
    const Roles roles = roles_of(targets, weight, group, valid_by, ignore);
    auto tables = taken(train, valid);
    *out = new WorkFor<Model>(
        [tables, roles, options = *options, parts = parts.string()](const Work::Tell& tell) {
          return model::fit_of_parts(std::move(*tables), roles, options, tell, parts);
        });
  });
}

/// What looks wrong about the targets of a table, a sentence each.
MIRRORBALL_BORDER Failure* mirrorball_fit_warnings(const Table* table, Texts targets, std::string** out) {
  return guarded([&] {
    Json sentences = Json::array();
    for (const ColumnWarning& warning : fit_warnings(*table, {targets.list(), {}, {}}))
      sentences.push_back(warning.text);
    give(sentences, out);
  });
}

MIRRORBALL_BORDER Failure* mirrorball_fit_model(Work* work, Model** out) {
  return guarded([&] { *out = new Model(static_cast<WorkFor<Model>*>(work)->take()); });
}

}  // namespace mirrorball::binding
