#include "report/report.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <tuple>

#include "base/atomic_file.h"
#include "layout.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "paint.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "table_flags.h"
#include "two_models.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ReportFlags {
  std::string model, out, title, id;
  std::vector<std::string> data;  ///< the table, after a second model where there is one
  std::size_t rows = report::ReportOptions().rows, explained = report::ReportOptions().explained,
              samples = report::ReportOptions().samples;
  TableFlags table;
  RunFlags run;
  bool json = false, quiet = false;
};

void tell(const report::Report& report, const std::string& out) {
  const std::size_t width = Paint::err().width();
  std::string words;
  for (const std::string& sentence : report.summary) words += wrapped(sentence, 0, 0, width) + "\n";
  for (const report::Warning& one : report.warnings)
    if (one.weight != report::Warning::Weight::kNote && !one.in_summary) words += warning_line(one.text);
  for (const std::string& sentence : report.comparison) words += wrapped(sentence, 0, 0, width) + "\n";
  say(words + (out.empty() || out == "-" ? "" : fmt::format("wrote {}\n", out)));
}

void run_report(const ReportFlags& flags) {
  const std::string &data = flags.data.back(), second = flags.data.size() > 1 ? flags.data.front() : "";
  check_spares(flags.out, {flags.model, second}, {&data, 1});
  if (!flags.out.empty() && flags.out != "-") check_writable(flags.out);
  const Model model = Model::load(flags.model);
  const std::optional<Model> other = second.empty() ? std::nullopt : std::optional(Model::load(second));
  ReadOptions read = flags.table.on(other ? read_for_both(model, *other) : model.read_options(true));
  read.threads = flags.run.threads;
  if (!flags.id.empty()) read.keep = {flags.id};
  const std::unique_ptr<TableSource> source = open_table(data, read);
  ProgressBar bar;
  report::ReportOptions options;
  options.model_name = file_name(flags.model);
  if (other) std::tie(options.model_name, options.other_name) = model_names(flags.model, second);
  options.data_name = file_name(data);
  options.title = flags.title;
  options.id = flags.id;
  options.rows = flags.rows;
  options.explained = flags.explained;
  options.samples = flags.samples;
  options.seed = flags.run.seed;
  options.threads = flags.run.threads;
  options.progress = [&](double share, const char* doing) { bar.show(share, doing); };
  const report::Report report = other ? report::make_report(model, *other, *source, options)
                                      : report::make_report(model, *source, options);
  bar.clear();
  write_result(flags.out, [&](std::ostream& out) {
    if (flags.json)
      out << report.json << "\n";
    else
      out << report::report_html(report);
  });
  if (!flags.quiet) tell(report, flags.out);
}

}  // namespace

void add_report(CLI::App& app) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* verb = app.add_subcommand(
      "report", "Write an HTML report: accuracy, calibration, weak spots and drift of a model, or of two");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option(
          "data", flags->data,
          "[OTHER_MODEL] DATA: the table with the features and, if available, the targets; - is standard "
          "input; a pattern such as 'part-*.csv.gz' is one table of several files. OTHER_MODEL is a model of "
          "the same targets to compare with")
      ->expected(1, 2)
      ->required();
  verb->add_option("--out", flags->out, "HTML file to write; - is standard output")
      ->type_name("FILE")
      ->required();
  verb->add_option("--title", flags->title, "Title of the report [from the file names]")->type_name("TEXT");
  verb->add_option("--id", flags->id, "Column of DATA that names the rows shown [row numbers, from 0]")
      ->type_name("COL");
  verb->add_option("--rows", flags->rows, "Maximum number of rows; larger tables are sampled [20000]")
      ->type_name("N")
      ->check(count_up_to(10'000'000));
  verb->add_option("--explain-rows", flags->explained,
                   "Maximum number of rows to explain for feature importance; 0 = none [100]")
      ->type_name("N")
      ->check(whole_number(0, 100'000));
  verb->add_option("--samples", flags->samples,
                   fmt::format("Samples per row, at least 20 [{}]", flags->samples))
      ->type_name("M")
      ->check(count_up_to(100000));
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "page");
  flags->run.add_threads(*verb);
  verb->add_flag("--json", flags->json, "Write the numbers as JSON instead of the page");
  verb->add_flag("--quiet", flags->quiet, "Print errors only");
  verb->callback([flags] { run_report(*flags); });
}

}  // namespace mirrorball::cli
