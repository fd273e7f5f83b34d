#include "fit_flags.h"

#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "base/grouped.h"
#include "mirrorball/table_source.h"
#include "model/fit_columns.h"
#include "output.h"
#include "progress_bar.h"
#include "table/cells.h"

namespace mirrorball::cli {
namespace {

ReadOptions reading(const FitFlags& flags, const Options& options) {
  const Roles& roles = flags.roles;
  for (const std::string& name : flags.categories)
    if (contains(roles.targets, name) || name == roles.weight || name == roles.valid_by)
      bad_input("--category {}: the column is {}, which must be numeric", name,
                name == roles.weight     ? "a weight"
                : name == roles.valid_by ? "that of --valid-by"
                                         : "a target");
  ReadOptions read;
  read.threads = static_cast<unsigned>(options.threads);
  read.categories = flags.categories;
  read.numbers = roles.targets;
  read.numbers.insert(read.numbers.end(), flags.numbers.begin(), flags.numbers.end());
  for (const std::string& name : {roles.weight, roles.valid_by})
    if (!name.empty() && !contains(read.numbers, name)) read.numbers.push_back(name);
  // Names of groups are compared, never computed with.
  if (!roles.group.empty() && !contains(read.numbers, roles.group) && !contains(read.categories, roles.group))
    read.categories.push_back(roles.group);
  read.skip = roles.ignore;
  return flags.table.on(std::move(read));
}

/// A column that the first rows show to be text has no stray cell to replace.
void refuse_text(const Table& head, const std::string& flag, const std::string& name, const char* use) {
  const std::optional<std::size_t> column = name.empty() ? std::nullopt : head.find(name);
  if (column && head.type(*column) == ColumnType::kCategory)
    bad_input("{}: {} {}: the column contains text, for example '{}', but {}", head.source(), flag, name,
              table::shown(head.categories(*column).front()), use);
}

/// A target that holds words is no column of numbers with a mistake in it either.
void refuse_classes(const FitFlags& flags) {
  if (contains(flags.data, "-")) return;
  ReadOptions as_it_is = flags.table.on({});
  as_it_is.skip = flags.roles.ignore;
  const std::optional<Table> head = open_table_files(flags.data, as_it_is)->next();
  for (const std::string& target : flags.roles.targets)
    if (head && head->find(target)) model::check_target(*head, target);
  if (!head) return;
  refuse_text(*head, "--valid-by", flags.roles.valid_by,
              "rows are ordered by numbers or by dates such as 2024-02-29");
  refuse_text(*head, "--weight", flags.roles.weight, "weights are numbers");
}

}  // namespace

Table FitFlags::read_table(const Options& settled) const {
  ReadOptions read = reading(*this, settled);
  ProgressBar bar(progress);
  const std::string what = data.size() > 1  ? fmt::format("{} and more", data[0])
                           : data[0] == "-" ? "standard input"
                                            : data[0];
  if (!quiet)
    read.progress = [&](std::size_t rows, std::optional<double> share) {
      bar.show(share, fmt::format("reading {}  {} rows", what, grouped(rows)));
    };
  Table made;
  try {
    made = Table::read_files(data, read);
  } catch (const std::invalid_argument&) {
    refuse_classes(*this);
    throw;
  }
  for (const auto* names : {&categories, &numbers})
    for (const std::string& name : *names) made.column(name);  // throws if it is not there
  return made;
}

void FitFlags::say_hints() const {
  for (const std::string& hint : options.hints()) warn(hint);
}

void FitFlags::add_to(CLI::App& verb) {
  const auto column = [&](const char* flag, std::string& place, const char* help) {
    verb.add_option(flag, place, help)->type_name("COL");
  };
  const auto columns = [&](const char* flag, std::vector<std::string>& places, const char* help) {
    return verb.add_option(flag, places, help)->type_name("COL")->allow_extra_args(false);
  };
  verb.add_option(
          "data", data,
          "Training table: CSV or ARFF, plain or compressed; - is standard input. Several files, or a "
          "pattern such as 'part-*.csv.gz', are one table")
      ->required();
  columns("--target", roles.targets,
          "Column to predict; repeat for several targets, which are learned jointly")
      ->required();
  column("--weight", roles.weight, "Column of row weights");
  columns("--ignore", roles.ignore, "Column to drop; may be repeated");
  columns("--category", categories, "Numeric column to treat as categorical; may be repeated");
  columns("--number", numbers, "Column that must be numeric: text in it is an error; may be repeated");
  table.add_to(verb);
  column("--valid-by", roles.valid_by,
         "Column of numbers or dates: the last rows by it are the validation rows, instead of random ones");
  column(
      "--group", roles.group,
      "Column of group names: whole groups are held out for validation. Not a feature unless --category or "
      "--number names it too");
  verb.get_option("--valid-by")->excludes(verb.get_option("--group"));
  verb.add_flag("--quiet", quiet, "Print errors only");
  verb.add_flag("--progress", progress, "Print progress as lines where there is no terminal for a bar");
  options.add_to(verb);
  verb.parse_complete_callback([this] {
    roles.group_is_feature = contains(categories, roles.group) || contains(numbers, roles.group);
  });
}

}  // namespace mirrorball::cli
