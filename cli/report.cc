#include "report/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/atomic_file.h"
#include "mirrorball/mirrorball.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct ReportFlags {
  std::string model, data, out, title;
  std::size_t rows = 20000, explained = 100, samples = kScoreSamples;
  RunFlags run;
  bool json = false, quiet = false;
};

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

void tell(const report::Report& report, const std::string& out) {
  std::string words;
  for (const std::string& sentence : report.summary) words += sentence + "\n";
  for (const report::Warning& one : report.warnings)
    if (one.weight != report::Warning::Weight::kNote) words += "warning: " + one.text + "\n";
  say(words + (out.empty() || out == "-" ? "" : fmt::format("wrote {}\n", out)));
}

void run_report(const ReportFlags& flags) {
  check_spares(flags.out, {flags.model, flags.data});
  if (!flags.out.empty() && flags.out != "-") check_writable(flags.out);
  const Model model = Model::load(flags.model);
  ReadOptions read = model.read_options(true);
  read.threads = flags.run.threads;
  const std::unique_ptr<TableSource> source = open_table(flags.data, read);
  ProgressBar bar;
  report::ReportOptions options;
  options.model_name = file_name(flags.model);
  options.data_name = file_name(flags.data);
  options.title = flags.title;
  options.rows = flags.rows;
  options.explained = flags.explained;
  options.samples = flags.samples;
  options.seed = flags.run.seed;
  options.threads = flags.run.threads;
  options.progress = [&](double share, const char* doing) { bar.show(share, doing); };
  const report::Report report = report::make_report(model, *source, options);
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
  CLI::App* verb =
      app.add_subcommand("report", "Write a page that shows how good a model is, and where it is not");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("data", flags->data,
                   "Table with features, and targets if they are known; - is standard input")
      ->required();
  verb->add_option("--out", flags->out, "The page, one HTML file; - is standard output")
      ->type_name("FILE")
      ->required();
  verb->add_option("--title", flags->title, "Title of the page [made of the file names]")->type_name("TEXT");
  verb->add_option("--rows", flags->rows, "Rows looked at, at most; more are sampled [20000]")
      ->type_name("N")
      ->check(count_up_to(10'000'000));
  verb->add_option("--explain-rows", flags->explained,
                   "Rows explained, at most, to see what drives forecasts; 0 leaves it out [100]")
      ->type_name("N")
      ->check(whole_number(0, 100'000));
  verb->add_option("--samples", flags->samples,
                   fmt::format("Samples per row, at least 20 [{}]", flags->samples))
      ->type_name("M")
      ->check(count_up_to(100000));
  flags->run.add_seed(*verb, "page");
  flags->run.add_threads(*verb);
  verb->add_flag("--json", flags->json, "Write the numbers as JSON instead of the page");
  verb->add_flag("--quiet", flags->quiet, "Say nothing but errors");
  verb->callback([flags] { run_report(*flags); });
}

}  // namespace mirrorball::cli
