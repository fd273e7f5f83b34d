#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/atomic_file.h"
#include "base/error.h"
#include "distance.h"
#include "mirrorball/mirrorball.h"
#include "picture.h"
#include "progress_bar.h"
#include "report/report.h"
#include "table/csv_writer.h"
#include "training.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

constexpr std::uint64_t kSeed = 1;

/// One network on all rows, as in the paper. The law is known and smooth: plain standardised values serve it
/// better than quantiles and waves, and there is no need to stop early.
Options demo_options() {
  Options options;
  options.networks = 1;
  options.waves = 0;
  options.draws = 32;
  options.noise_grid = 256;
  options.learning_rate = 2e-3;
  options.batch = 150;
  options.epochs = 150;
  options.min_steps = 0;
  options.valid_fraction = 0;
  options.calibrate = Calibrate::kNone;
  options.input_transform = Transform::kStandard;
  options.target_transform = Transform::kStandard;
  options.seed = kSeed;
  return options;
}

Dots observed_dots(const Table& data) {
  Dots dots{"3000 observations: y is x, cos x or -cos x, plus noise", {}, {}};
  for (std::size_t row = 0; row < data.rows(); ++row) {
    dots.x.push_back(data.number(row, 0));
    dots.y.push_back(data.number(row, 1));
  }
  return dots;
}

/// One sample for each observed x.
Dots drawn_dots(const Model& model, const Table& data) {
  Dots dots{"one sample of the fitted model for each x", {}, {}};
  const Predictive draws = model.predict(data, {kSummarySamples, kSeed, 0});
  for (std::size_t row = 0; row < data.rows(); ++row) {
    dots.x.push_back(data.number(row, 0));
    dots.y.push_back(draws.row_samples(row)[row % draws.samples()]);
  }
  return dots;
}

void write_predictions(const Model& model, const Law& law, std::ostream& out) {
  const std::vector<double> positions = law.positions(100), levels = {0.05, 0.25, 0.5, 0.75, 0.95};
  Table table;
  table.add_numbers("x", positions);
  const Predictive draws = model.predict(table, {2000, kSeed, 0});
  table::CsvWriter csv(out);
  csv.header(
      std::vector<std::string>{"x", "y_mean", "y_sd", "y_q0.05", "y_q0.25", "y_q0.5", "y_q0.75", "y_q0.95"});
  for (std::size_t row = 0; row < positions.size(); ++row) {
    csv.cell(positions[row]);
    csv.cell(draws.mean(row));
    csv.cell(draws.sd(row));
    for (double value : draws.quantiles(levels, row)) csv.cell(value);
    csv.end_row();
  }
  csv.finish();
}

/// Of rows the model has not seen.
void write_report(const Model& model, const Law& law, const std::string& path) {
  ProgressBar bar;
  report::ReportOptions options;
  options.title = "Crossing curves";
  options.model_name = "crossing.mirrorball";
  options.data_name = "new rows";
  options.progress = [&](double share, const char* doing) { bar.show(share, doing); };
  const std::string page =
      report::report_html(report::make_report(model, law.data(1000, kSeed + 1), options));
  write_atomically(path, [&](std::ostream& out) { out << page; });
}

void run_demo(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) system_failure("cannot create the folder {}: {}", folder, problem.message());
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  const Law& law = Law::named("crossing");
  const Table data = law.data(law.default_rows(), kSeed);
  write_atomically(path("crossing.csv"), [&](std::ostream& out) { data.write_csv(out); });
  fmt::print("Crossing curves: {} rows of x and y, where y is one of three curves plus noise.\n",
             data.rows());
  std::fflush(stdout);

  const Model model =
      train_with_bar(law.data(law.default_rows(), kSeed), std::nullopt, {{"y"}, "", {}}, demo_options(), {});
  model.save(path("crossing.mirrorball"));
  write_atomically(path("predictions.csv"), [&](std::ostream& out) { write_predictions(model, law, out); });
  const std::vector<Dots> panels = {observed_dots(data), drawn_dots(model, data)};
  write_atomically(path("crossing.svg"), [&](std::ostream& out) { write_picture(panels, out); });

  fmt::print("Distances between the fitted and the true distribution, mean over 100 values of x:\n{}",
             distances_text(distances_to(model, law, 100, 10000, kSeed)));
  if (report::has_report_page()) write_report(model, law, path("report.html"));
  fmt::print("Files written to {}:\n", folder);
  for (const char* name : {"crossing.csv", "crossing.mirrorball", "predictions.csv", "crossing.svg"})
    fmt::print("  {}\n", path(name));
  if (report::has_report_page())
    fmt::print("Report with accuracy and calibration: open {}\n", path("report.html"));
}

}  // namespace

void add_demo(CLI::App& app) {
  auto folder = std::make_shared<std::string>("demo");
  CLI::App* verb = app.add_subcommand(
      "demo", "Fit the crossing curves of the paper and compare with the true distribution");
  verb->add_option("--out", *folder, "Folder for data, model, predictions, picture and report [demo]")
      ->type_name("DIR");
  verb->callback([folder] { run_demo(*folder); });
}

}  // namespace mirrorball::cli
