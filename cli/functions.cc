#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/suggest.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "run_flags.h"
#include "table/cells.h"
#include "table/csv_writer.h"
#include "table/file_kind.h"
#include "table_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct FunctionFlags {
  std::string model, vary, from, to, at, out;
  std::size_t points = 100, count = 10;
  TableFlags table;
  RunFlags run;
};

Table base_row(const Model& model, const FunctionFlags& flags) {
  if (flags.at.empty()) return model.typical_rows(1);
  Table row = Table::read(flags.at, flags.table.on(model.read_options(false)));
  if (row.rows() != 1) bad_input("{} has {} rows, but --at needs a table of one row", flags.at, row.rows());
  return row;
}

/// A number or a date, as a cell of a table would be.
double value_of(const char* flag, const std::string& text) {
  double value = 0;
  const table::CellKind kind = table::classify(text, value);
  if (kind != table::CellKind::kNumber && kind != table::CellKind::kDate)
    bad_input("{} {} is neither a finite number nor a date: use for example 1.5 or 2024-02-29", flag, text);
  return value;
}

void run_functions(const FunctionFlags& flags) {
  const double from = value_of("--from", flags.from), to = value_of("--to", flags.to);
  check_spares(flags.out, {flags.model, flags.at});
  table::check_writable(flags.out);
  const Model model = Model::load(flags.model);
  const Table row = base_row(model, flags);
  const std::size_t vary = row.column(flags.vary);
  if (row.type(vary) != ColumnType::kNumber)
    bad_input("'{}' is a category: choose a numeric feature", flags.vary);
  std::vector<double> values(flags.points);
  for (std::size_t i = 0; i < flags.points; ++i)
    values[i] = flags.points == 1
                    ? from
                    : from + (to - from) * static_cast<double>(i) / static_cast<double>(flags.points - 1);
  const Predictive draws = model.predict(row.vary(0, vary, values), {flags.count, flags.run.seed, 0, false});
  write_result(flags.out, [&](std::ostream& out) {
    table::CsvWriter csv(out, table::separator_named(flags.out).value_or(','));
    std::vector<std::string> names = {"function", flags.vary};
    names.insert(names.end(), model.targets().begin(), model.targets().end());
    csv.header(names);
    for (std::size_t i = 0; i < draws.samples(); ++i)
      for (std::size_t point = 0; point < flags.points; ++point) {
        csv.cell(static_cast<double>(i + 1));
        csv.cell(values[point], 15);
        for (std::size_t t = 0; t < draws.targets(); ++t)
          csv.cell(draws.row_samples(point, t)[i], model.digits(t));
        csv.end_row();
      }
    csv.finish();
  });
}

}  // namespace

void add_functions(CLI::App& app) {
  auto flags = std::make_shared<FunctionFlags>();
  CLI::App* verb =
      app.add_subcommand("functions", "Write sample functions: the noise is fixed and one feature varies");
  const auto number = count_up_to(10000000);
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("--vary", flags->vary, "Feature to vary")->required()->type_name("COL");
  verb->add_option("--from", flags->from, "First value, a number or a date")->required()->type_name("A");
  verb->add_option("--to", flags->to, "Last value")->required()->type_name("B");
  verb->add_option("--points", flags->points, "Number of values [100]")->type_name("P")->check(number);
  verb->add_option("--count", flags->count, "Number of functions [10]")->type_name("C")->check(number);
  verb->add_option("--at", flags->at, "Table of one row with the other features [typical values]")
      ->type_name("ROWFILE");
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "functions");
  verb->add_option("--out", flags->out, "Output file [standard output]")->type_name("FILE");
  verb->callback([flags] { run_functions(*flags); });
}

}  // namespace mirrorball::cli
