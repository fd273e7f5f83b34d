#include <fmt/format.h>

#include <memory>
#include <tuple>

#include "mirrorball/mirrorball.h"
#include "output.h"
#include "paint.h"
#include "progress_bar.h"
#include "report/compare.h"
#include "run_flags.h"
#include "table_flags.h"
#include "two_models.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

struct CompareFlags {
  std::string first, second, data;
  std::size_t rows = report::ReportOptions().rows, samples = report::ReportOptions().samples;
  TableFlags table;
  RunFlags run;
  bool json = false;
};

void run_compare(const CompareFlags& flags) {
  const Model first = Model::load(flags.first), second = Model::load(flags.second);
  ReadOptions read = flags.table.on(read_for_both(first, second));
  read.threads = flags.run.threads;
  const std::unique_ptr<TableSource> source = open_table(flags.data, read);
  ProgressBar bar;
  report::ReportOptions options;
  std::tie(options.model_name, options.other_name) = model_names(flags.first, flags.second);
  options.data_name = file_name(flags.data);
  options.rows = flags.rows;
  options.samples = flags.samples;
  options.seed = flags.run.seed;
  options.threads = flags.run.threads;
  options.width = Paint::out().width();
  options.progress = [&](double share, const char* doing) { bar.show(share, doing); };
  const report::Compared compared = report::compare(first, second, *source, options);
  bar.clear();
  write_result("", [&](std::ostream& out) { out << (flags.json ? compared.json : compared.text); });
}

}  // namespace

void add_compare(CLI::App& app) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* verb = app.add_subcommand(
      "compare", "Compare two models on the same rows: which is better, by how much, where");
  verb->add_option("first", flags->first, "Model file")->required();
  verb->add_option("second", flags->second, "Model file of the same targets")->required();
  verb->add_option("data", flags->data,
                   "Table with the features of both and the targets; - is standard input")
      ->required();
  verb->add_option("--rows", flags->rows, "Maximum number of rows; larger tables are sampled [20000]")
      ->type_name("N")
      ->check(count_up_to(10'000'000));
  verb->add_option("--samples", flags->samples,
                   fmt::format("Samples per row, at least 20 [{}]", flags->samples))
      ->type_name("M")
      ->check(count_up_to(100000));
  flags->table.add_to(*verb);
  flags->run.add_seed(*verb, "result");
  flags->run.add_threads(*verb);
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->callback([flags] { run_compare(*flags); });
}

}  // namespace mirrorball::cli
