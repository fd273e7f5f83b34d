#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/grouped.h"
#include "interrupt.h"
#include "mirrorball/mirrorball.h"
#include "option_flags.h"
#include "output.h"
#include "progress_bar.h"
#include "table/cells.h"
#include "training.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

constexpr std::size_t kManyRows = 100;  ///< so many numbers rarely differ all
constexpr double kSparse = 20;          ///< of so many rows at least one is there

struct FitFlags {
  std::string data, valid, out;
  Roles roles;
  std::vector<std::string> categories, numbers;
  bool quiet = false, plan = false;
  OptionFlags options;
};

bool in(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// What a guess may have got wrong: one stray word makes a column of numbers a category.
std::string level_hint(const std::string& name, const std::vector<std::string>& levels, std::size_t rows) {
  double number = 0;
  const auto is_text = [&](const std::string& level) {
    return table::classify(level, number) == table::CellKind::kText;
  };
  const auto texts = static_cast<std::size_t>(std::count_if(levels.begin(), levels.end(), is_text));
  if (texts > 0 && 2 * texts < levels.size())
    return fmt::format(": {} of them numbers, but not '{}'; --number {} if all should be",
                       grouped(levels.size() - texts),
                       table::shown(*std::find_if(levels.begin(), levels.end(), is_text)), name);
  return 2 * levels.size() > rows ? fmt::format(": few rows each; --ignore {} leaves it out", name) : "";
}

/// Whole numbers, another one in every row and not far apart: row numbers, or those of a sample of rows.
bool may_count_rows(const Table& table, std::size_t column) {
  const auto whole = [](double value) { return value == std::floor(value); };  // a gap is not
  if (table.rows() < kManyRows || table.holds_dates(column) || !whole(table.number(0, column))) return false;
  std::vector<double> values(table.rows());
  table.copy_numbers(column, 0, values.size(), values.data());
  if (!std::all_of(values.begin(), values.end(), whole)) return false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*most - *least >= kSparse * static_cast<double>(values.size())) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

std::string number_hint(const Table& table, std::size_t column) {
  if (!may_count_rows(table, column)) return "";
  return fmt::format(" (another whole number in every row; --ignore {} if it only counts them)",
                     table.name(column));
}

/// What the columns were taken for, so that a wrong guess is seen while there is time.
std::string describe_columns(const Table& table, const FitFlags& flags) {
  const Roles& roles = flags.roles;
  std::vector<std::string> numbers, dates, categories, ignored = roles.ignore;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    const std::string& name = table.name(column);
    if (in(roles.targets, name) || in(roles.ignore, name) || name == roles.weight) continue;
    const bool number = table.type(column) == ColumnType::kNumber;
    if (!table.has_name(column)) {
      ignored.push_back(fmt::format("{0} (the first column has no name; --{1} '{0}' uses it)", name,
                                    number ? "number" : "category"));
    } else if (number) {
      const std::string hint = in(flags.numbers, name) ? "" : number_hint(table, column);
      (table.holds_dates(column) ? dates : numbers).push_back(name + hint);
    } else {
      const std::vector<std::string>& levels = table.categories(column);
      categories.push_back(
          fmt::format("{} ({} level{}{})", name, grouped(levels.size()), levels.size() == 1 ? "" : "s",
                      in(flags.categories, name) ? "" : level_hint(name, levels, table.rows())));
    }
  }
  std::string text =
      fmt::format("{}: {} rows, {} columns\n", table.source(), grouped(table.rows()), table.columns());
  const auto line = [&](const char* title, const std::vector<std::string>& names) {
    if (!names.empty()) text += fmt::format("  {:<10} {}\n", title, fmt::join(names, ", "));
  };
  line("target", roles.targets);
  line("numbers", numbers);
  line("dates", dates);
  line("categories", categories);
  line("ignored", ignored);
  if (!roles.weight.empty()) line("weight", {roles.weight});
  return text;
}

ReadOptions reading(const FitFlags& flags, const Options& options) {
  for (const std::string& name : flags.categories)
    if (in(flags.roles.targets, name) || name == flags.roles.weight)
      bad_input("--category {}: the column is a {}, which must be numbers", name,
                name == flags.roles.weight ? "weight" : "target");
  ReadOptions read;
  read.threads = static_cast<unsigned>(options.threads);
  read.categories = flags.categories;
  read.numbers = flags.roles.targets;
  read.numbers.insert(read.numbers.end(), flags.numbers.begin(), flags.numbers.end());
  read.skip = flags.roles.ignore;
  if (!flags.roles.weight.empty()) read.numbers.push_back(flags.roles.weight);
  return read;
}

/// The validation table must be read with the types that the training table showed.
ReadOptions reading_like(const Table& train, const Options& options) {
  ReadOptions read;
  read.threads = static_cast<unsigned>(options.threads);
  for (std::size_t column = 0; column < train.columns(); ++column)
    (train.type(column) == ColumnType::kNumber ? read.numbers : read.categories)
        .push_back(train.name(column));
  read.only_named = true;
  return read;
}

/// A model that took an hour must not be lost to a typing error in --out.
void check_out(const std::string& out) {
  if (out.empty()) bad_input("--out is empty: name a file for the model");
  if (out == "-") bad_input("a model cannot go to standard output: name a file with --out");
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    system_failure("cannot write {}: there is no folder {}", out, folder.string());
  check_writable(out);
}

void run_fit(const FitFlags& flags) {
  const Options options = flags.options.options();
  if (!flags.plan) {
    check_out(flags.out);
    check_spares(flags.out, {flags.data, flags.valid});
  }
  if (flags.data == "-" && flags.valid == "-") bad_input("DATA and --valid cannot both be standard input");
  Table train = Table::read(flags.data, reading(flags, options));
  for (const auto* names : {&flags.categories, &flags.numbers})
    for (const std::string& name : *names) train.column(name);  // throws if it is not there
  const std::string columns = flags.quiet ? "" : describe_columns(train, flags);
  std::optional<Table> valid;
  if (!flags.valid.empty()) valid = Table::read(flags.valid, reading_like(train, options));
  if (flags.plan) {
    const Plan plan = valid ? plan_fit(std::move(train), std::move(*valid), flags.roles, options)
                            : plan_fit(std::move(train), flags.roles, options);
    write_result("", [&](std::ostream& out) { out << columns << "plan\n" << to_text(plan); });
    return;
  }
  const Model model =
      train_with_bar(std::move(train), std::move(valid), flags.roles, options, {columns, flags.quiet});
  model.save(flags.out);
  if (!flags.quiet) say(fmt::format("saved {}\n", flags.out));
}

}  // namespace

void add_fit(CLI::App& app) {
  auto flags = std::make_shared<FitFlags>();
  CLI::App* verb = app.add_subcommand("fit", "Fit a model to a table");
  verb->add_option("data", flags->data, "Training table: CSV, CSV.gz or ARFF; - is standard input")
      ->required();
  verb->add_option("--target", flags->roles.targets,
                   "Column to predict; repeat it for several, learned jointly")
      ->required()
      ->type_name("COL")
      ->allow_extra_args(false);
  verb->add_option("--out", flags->out, "File for the model; required unless --plan is given")
      ->type_name("FILE");
  verb->add_option("--valid", flags->valid,
                   "Table for choosing the best epoch and for calibration, instead of a share of DATA")
      ->type_name("DATA");
  verb->add_option("--weight", flags->roles.weight, "Column of row weights")->type_name("COL");
  verb->add_option("--ignore", flags->roles.ignore, "Column to leave out; may be repeated")
      ->type_name("COL")
      ->allow_extra_args(false);
  verb->add_option("--category", flags->categories,
                   "Column of numbers to take as categories; may be repeated")
      ->type_name("COL")
      ->allow_extra_args(false);
  verb->add_option("--number", flags->numbers,
                   "Column that must be numbers: text in it is an error; may be repeated")
      ->type_name("COL")
      ->allow_extra_args(false);
  verb->add_flag("--plan", flags->plan,
                 "Print what the fit would do, with every option settled, and train nothing");
  verb->add_flag("--quiet", flags->quiet, "Say nothing but errors");
  flags->options.add_to(*verb);
  verb->get_option("--valid")->excludes(verb->get_option("--valid-fraction"));
  verb->callback([flags, verb] {
    if (!flags->plan && verb->count("--out") == 0) throw CLI::RequiredError("--out");
    run_fit(*flags);
  });
}

}  // namespace mirrorball::cli
