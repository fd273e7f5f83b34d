#include "describe_columns.h"

#include <fmt/format.h>

#include "base/contains.h"
#include "base/grouped.h"
#include "layout.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "paint.h"
#include "table/column_hint.h"
#include "table/file_list.h"

namespace mirrorball::cli {
namespace {

/// Where the names begin.
constexpr std::size_t kNamesIndent = 13;
/// More files than that are told by the first and the last of them.
constexpr std::size_t kMostFiles = 6;

std::vector<std::string> files_in_order(const std::vector<std::string>& files) {
  std::vector<std::string> words = files;
  if (files.size() > kMostFiles)
    words = {fmt::format("{} of them from {} to {}", grouped(files.size()), files.front(), files.back())};
  words.back() += " (in this order)";
  return words;
}

/// Columns by what they are used for, and what may be wrong about them.
struct Uses {
  std::vector<std::string> numbers, dates, categories, unused, ignored, hints;
};

void add_feature(const Table& table, std::size_t column, const FitFlags& flags, Uses& uses) {
  const std::string& name = table.name(column);
  const bool number = table.type(column) == ColumnType::kNumber;
  if (number)
    (table.holds_dates(column) ? uses.dates : uses.numbers).push_back(name);
  else if (table::names_its_rows(table, column))
    uses.unused.push_back(name);
  else
    uses.categories.push_back(fmt::format("{} ({})", name, grouped(table.categories(column).size())));
  const bool declared = contains(number ? flags.numbers : flags.categories, name);
  if (std::string hint = table::column_hint(table, column, declared, true); !hint.empty())
    uses.hints.push_back(hint);
}

Uses uses_of(const Table& table, const FitFlags& flags) {
  const Roles& roles = flags.roles;
  Uses uses;
  uses.ignored = roles.ignore;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    const std::string& name = table.name(column);
    if (contains(roles.targets, name) || contains(roles.ignore, name) || name == roles.weight ||
        (name == roles.group && !roles.group_is_feature))
      continue;
    const bool number = table.type(column) == ColumnType::kNumber;
    if (!table.has_name(column))
      uses.ignored.push_back(fmt::format("{0} (the first column has no name; include it with --{1} '{0}')",
                                         name, number ? "number" : "category"));
    else
      add_feature(table, column, flags, uses);
  }
  return uses;
}

}  // namespace

std::string describe_columns(const Table& table, std::size_t rows, const FitFlags& flags) {
  const Roles& roles = flags.roles;
  const Uses uses = uses_of(table, flags);
  const Paint paint = Paint::err();
  std::string text =
      fmt::format("{}: {} rows, {} columns\n", paint.bold(table.source()), grouped(rows), table.columns());
  const auto line = [&](const char* title, const std::vector<std::string>& names) {
    if (!names.empty())
      text += fmt::format("  {} {}\n", paint.dim(fmt::format("{:<10}", title)),
                          wrapped_list(names, kNamesIndent, paint.width()));
  };
  if (const std::vector<std::string> files = table::files_of(flags.data); files.size() > 1)
    line("files", files_in_order(files));
  line("target", roles.targets);
  line("numbers", uses.numbers);
  line("dates", uses.dates);
  line("categories", uses.categories);
  line("not used", uses.unused);
  line("ignored", uses.ignored);
  if (!roles.weight.empty()) line("weight", {roles.weight});
  if (!roles.group.empty())
    line("group",
         {roles.group + (roles.group_is_feature
                             ? ""
                             : fmt::format(" (no feature; --category {} makes it one)", roles.group))});
  for (const std::string& hint : uses.hints) text += note_line(hint);
  if (rows > table.rows()) return text;  // warnings name rows by their number in the table
  for (const ColumnWarning& warning : fit_warnings(table, roles)) text += warning_line(warning.text);
  return text;
}

}  // namespace mirrorball::cli
