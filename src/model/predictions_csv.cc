#include "model/predictions_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "table/csv_writer.h"

namespace mirrorball::model {
namespace {

std::vector<std::string> columns_of_target(const PredictionForm& form, const std::string& target,
                                           std::size_t samples) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& what) { names.push_back(target + "_" + what); };
  if (form.samples > 0) {
    for (std::size_t i = 1; i <= samples; ++i) add(std::to_string(i));
  } else if (!form.quantiles.empty()) {
    for (double level : form.quantiles) add(fmt::format("q{}", level));
  } else if (form.interval) {
    add("lower");
    add("upper");
  } else if (form.mean) {
    add("mean");
  } else {
    for (const char* what : {"mean", "sd", "q0.05", "q0.5", "q0.95"}) add(what);
  }
  return names;
}

void write_header(const PredictionForm& form, const Model& model, std::size_t samples,
                  table::CsvWriter& csv) {
  std::vector<std::string> names;
  for (const std::string& target : model.targets())
    for (const std::string& name : columns_of_target(form, target, samples)) names.push_back(name);
  csv.header(names);
}

void write_row(const PredictionForm& form, const Model& model, const Predictive& draws, std::size_t row,
               table::CsvWriter& csv) {
  for (std::size_t t = 0; t < draws.targets(); ++t) {
    const int digits = model.digits(t);
    if (form.samples > 0) {
      for (double draw : draws.draws(row, t)) csv.cell(draw, digits);
    } else if (!form.quantiles.empty()) {
      for (double value : draws.quantiles(form.quantiles, row, t)) csv.cell(value, digits);
    } else if (form.interval) {
      const auto [lower, upper] = draws.interval(*form.interval, row, t);
      csv.cell(lower, digits);
      csv.cell(upper, digits);
    } else {
      csv.cell(draws.mean(row, t), digits);
      if (form.mean) continue;
      csv.cell(draws.sd(row, t));
      for (double value : draws.quantiles(std::vector<double>{0.05, 0.5, 0.95}, row, t))
        csv.cell(value, digits);
    }
  }
  csv.end_row();
}

}  // namespace

std::size_t PredictionForm::draws() const { return samples > 0 ? samples : kSummarySamples; }

void PredictionForm::check() const {
  for (double level : quantiles)
    if (!(level >= 0 && level <= 1)) bad_input("the quantile {} is outside 0 to 1", level);
  std::vector<double> sorted = quantiles;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    bad_input("the quantile {} is asked for twice, and columns need different names", *twice);
  if (interval && !(*interval > 0 && *interval < 1))
    bad_input("the interval's coverage {} is not between 0 and 1", *interval);
}

void write_predictions(const Model& model, TableSource& source, const PredictionForm& form,
                       PredictOptions options, std::ostream& out, const RowProgress& progress) {
  form.check();
  options.samples = form.draws();
  table::CsvWriter csv(out);
  const auto write = [&](const Predictive& draws, const Table& block, std::size_t begin) {
    if (block.first_row() + begin == 0) write_header(form, model, draws.samples(), csv);
    for (std::size_t row = 0; row < draws.rows(); ++row) write_row(form, model, draws, row, csv);
  };
  predict_blocks(model, source, options, write, progress);
  csv.finish();
}

}  // namespace mirrorball::model
