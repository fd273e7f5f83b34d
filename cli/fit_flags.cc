#include "fit_flags.h"

#include <filesystem>
#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "base/grouped.h"
#include "mirrorball/table_source.h"
#include "model/fit_columns.h"
#include "output.h"
#include "progress_bar.h"
#include "table/cells.h"
#include "table/file_list.h"

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

/// Bytes of the fit that a byte of a file makes at the most: short cells, packed tenfold.
constexpr double kMostBytesOfFile = 64;

/// Whether a table can be read more than once, and its files are large enough for a look at the memory.
bool may_be_large(const FitFlags& flags, const model::FitMemory& memory) {
  if (contains(flags.data, "-")) return false;
  double bytes = 0;
  for (const std::string& file : table::files_of(flags.data)) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown)) return false;
    bytes += static_cast<double>(std::filesystem::file_size(file, unknown));
  }
  return kMostBytesOfFile * bytes > static_cast<double>(memory.bytes);
}

/// What is said of the rows as they are read.
std::function<void(std::size_t, std::optional<double>)> shown_by(ProgressBar& bar, const FitFlags& flags) {
  if (flags.quiet) return {};
  const std::string what = flags.data.size() > 1  ? fmt::format("{} and more", flags.data[0])
                           : flags.data[0] == "-" ? "standard input"
                                                  : flags.data[0];
  return [&bar, what](std::size_t rows, std::optional<double> share) {
    bar.show(share, fmt::format("reading {}  {} rows", what, grouped(rows)));
  };
}

/// What `read` gives; where it refuses the table, a target that holds classes is the better reason.
template <class Read>
auto checked(const FitFlags& flags, const Read& read) {
  try {
    return read();
  } catch (const std::invalid_argument&) {
    refuse_classes(flags);
    throw;
  }
}

void check_columns(const FitFlags& flags, const Table& made) {
  for (const auto* names : {&flags.categories, &flags.numbers})
    for (const std::string& name : *names) made.column(name);  // throws if it is not there
}

}  // namespace

Table FitFlags::read_table(const Options& settled) const {
  ReadOptions read = reading(*this, settled);
  ProgressBar bar(progress);
  read.progress = shown_by(bar, *this);
  Table made = checked(*this, [&] { return Table::read_files(data, read); });
  check_columns(*this, made);
  return made;
}

std::optional<LargeTable> FitFlags::read_large(const Options& settled, const model::FitMemory& memory) const {
  if (!may_be_large(*this, memory)) return std::nullopt;
  const ReadOptions read = reading(*this, settled);
  const OpenTable open = [files = data, read] { return open_table_files(files, read); };
  return checked(*this, [&]() -> std::optional<LargeTable> {
    if (!is_larger_than(memory.bytes, open) || !model::can_use_cache(roles, settled, memory))
      return std::nullopt;
    ProgressBar bar(progress);
    LargeTable made(open, {memory.bytes, settled.seed, read.threads, shown_by(bar, *this)});
    check_columns(*this, made.sample());
    return made;
  });
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
         "Column of numbers or dates: hold out the rows with its greatest values for validation, instead of "
         "random rows");
  column("--group", roles.group,
         "Column of group names: hold out whole groups for validation, instead of random rows. It is a "
         "feature only "
         "if --category or --number names it too");
  verb.get_option("--valid-by")->excludes(verb.get_option("--group"));
  verb.add_flag("--quiet", quiet, "Print errors only");
  verb.add_flag("--progress", progress, "Print progress as lines if standard error is not a terminal");
  options.add_to(verb);
  verb.parse_complete_callback([this] {
    roles.group_is_feature = contains(categories, roles.group) || contains(numbers, roles.group);
  });
}

}  // namespace mirrorball::cli
