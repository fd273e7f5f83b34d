#include "model/fit_memory.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/memory.h"
#include "engine/device.h"
#include "plan/rules.h"

namespace mirrorball::model {
namespace {

std::uint64_t least_of(const group::Group& group, std::uint64_t own) {
  if (group.size() == 1) return own;
  std::vector<std::byte> bytes(sizeof own);
  std::memcpy(bytes.data(), &own, sizeof own);
  for (const std::vector<std::byte>& other : group.gather(bytes)) {
    std::uint64_t value = 0;
    std::memcpy(&value, other.data(), sizeof value);
    own = std::min(own, value);
  }
  return own;
}

bool trains_on_cpu(const Options& options) {
  return engine::choose_engine(options.device).engine == &engine::default_engine();
}

}  // namespace

FitMemory fit_memory(const Options& options, const group::Group& group) {
  const std::optional<std::uint64_t> asked = bytes_from(options.memory);
  return {least_of(group, asked.value_or(plan::usual_memory(usable_memory()))), asked.has_value()};
}

bool can_use_cache(const Roles& roles, const Options& options, const FitMemory& memory) {
  const std::string& column = roles.valid_by.empty() ? roles.group : roles.valid_by;
  const bool on_cpu = trains_on_cpu(options);
  if (column.empty() && on_cpu) return true;
  if (!memory.asked) return false;
  if (!on_cpu)
    bad_input(
        "the table is larger than memory {}, but device {} needs all rows in memory: use device cpu, or "
        "raise the option memory",
        options.memory, options.device);
  bad_input(
      "the table is larger than memory {}, where rows cannot be held out by '{}': raise the option memory, "
      "or give a validation table",
      options.memory, column);
}

FitTables within_memory(FitTables tables, const Roles& roles, const Options& options,
                        const FitMemory& memory) {
  if (tables.whole || !is_larger_than(memory.bytes, tables.train.rows(), tables.train.columns()) ||
      !can_use_cache(roles, options, memory))
    return tables;
  const auto table = std::make_shared<const Table>(std::move(tables.train));
  return tables_of(
      LargeTable(
          [table] { return open_table(*table); },
          {.memory = memory.bytes, .seed = options.seed, .threads = static_cast<unsigned>(options.threads)}),
      std::move(tables.valid));
}

FitTables tables_of(LargeTable train, std::optional<Table> valid) {
  auto whole = std::make_shared<LargeTable>(std::move(train));
  Table sample = whole->take_sample();
  return {std::move(sample), std::move(valid), std::move(whole)};
}

}  // namespace mirrorball::model
