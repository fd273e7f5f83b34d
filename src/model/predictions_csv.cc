#include "model/predictions_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/contains.h"
#include "base/error.h"
#include "table/csv_writer.h"

namespace mirrorball::model {
namespace {

/// With what is written where nothing is asked.
PredictionForm settled(PredictionForm form) {
  if (form.samples > 0 || form.mean || form.sd || !form.intervals.empty() || !form.quantiles.empty() ||
      form.uncertainty || !form.regions.empty())
    return form;
  form.mean = form.sd = true;
  form.quantiles = {0.05, 0.5, 0.95};
  return form;
}

std::vector<std::string> columns_of_target(const PredictionForm& form, const std::string& target,
                                           std::size_t samples) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& what) { names.push_back(target + "_" + what); };
  if (form.samples > 0) {
    for (std::size_t i = 1; i <= samples; ++i) add(std::to_string(i));
    return names;
  }
  if (form.mean) add("mean");
  if (form.sd) add("sd");
  for (double coverage : form.intervals) {
    const std::string percent = fmt::format("{:.10g}", 100 * coverage);
    add("lower_" + percent);
    add("upper_" + percent);
  }
  for (double level : form.quantiles) add(fmt::format("q{}", level));
  if (form.uncertainty)
    for (const char* measure : {"variance", "expected_crps"})
      for (const char* part : {"", "_aleatoric", "_epistemic"}) add(fmt::format("{}{}", measure, part));
  return names;
}

void write_header(const PredictionForm& form, const Model& model, std::size_t samples,
                  table::CsvWriter& csv) {
  std::vector<std::string> names = form.keep;
  const auto add = [&](const std::string& name) {
    if (contains(form.keep, name))
      bad_input("'{0}' is kept, and a column of the predictions has that name too: rename '{0}' in the table",
                name);
    names.push_back(name);
  };
  for (const std::string& target : model.targets())
    for (const std::string& name : columns_of_target(form, target, samples)) add(name);
  for (const Region& region : form.regions) add(fmt::format("P({})", region.text()));
  csv.header(names);
}

void write_target(const PredictionForm& form, const Predictive& samples, std::size_t row, std::size_t target,
                  int digits, table::CsvWriter& csv) {
  if (form.samples > 0) {
    for (double sample : samples.row_samples(row, target)) csv.cell(sample, digits);
    return;
  }
  if (form.mean) csv.cell(samples.mean(row, target), digits);
  if (form.sd) csv.cell(samples.sd(row, target));
  for (double coverage : form.intervals) {
    const auto [lower, upper] = samples.interval(coverage, row, target);
    csv.cell(lower, digits);
    csv.cell(upper, digits);
  }
  if (!form.quantiles.empty())
    for (double value : samples.quantiles(form.quantiles, row, target)) csv.cell(value, digits);
  if (!form.uncertainty) return;
  const Uncertainty found = samples.uncertainty(row, target);
  for (const UncertaintyParts& parts : {found.variance, found.expected_crps})
    for (double value : {parts.total, parts.aleatoric, parts.epistemic}) csv.cell(value);
}

void write_regions(const PredictionForm& form, const Predictive& samples, std::size_t row,
                   table::CsvWriter& csv, RegionsSeen& seen) {
  ++seen.rows;
  for (std::size_t i = 0; i < form.regions.size(); ++i) {
    const double probability = samples.probability(row, form.regions[i]);
    csv.cell(probability);
    seen.reached[i] = seen.reached[i] || probability > 0;
  }
  if (form.regions.empty()) return;
  for (std::size_t t = 0; t < samples.targets(); ++t) {
    auto& [least, greatest] = seen.ranges[t];
    for (double sample : samples.row_samples(row, t)) {
      least = std::min(least, sample);
      greatest = std::max(greatest, sample);
    }
  }
}

void check_differ(std::vector<double> levels, const char* what) {
  std::sort(levels.begin(), levels.end());
  if (const auto twice = std::adjacent_find(levels.begin(), levels.end()); twice != levels.end())
    bad_input("{} {} is given twice: column names must differ", what, *twice);
}

}  // namespace

std::size_t PredictionForm::draws() const { return samples > 0 ? samples : summary_samples; }

std::size_t PredictionForm::columns() const {
  return columns_of_target(settled(*this), "", samples).size() + regions.size();
}

void PredictionForm::check() const {
  for (double level : quantiles)
    if (!(level >= 0 && level <= 1)) bad_input("quantile {} is out of range: use 0 to 1", level);
  check_differ(quantiles, "quantile");
  for (double coverage : intervals)
    if (!(coverage > 0 && coverage < 1))
      bad_input("interval {} is out of range: use a coverage between 0 and 1", coverage);
  check_differ(intervals, "interval");
  std::vector<std::string> texts;
  for (const Region& region : regions) {
    if (contains(texts, region.text())) bad_input("the region \"{}\" is given twice", region.text());
    texts.push_back(region.text());
  }
  std::vector<std::string> names = keep;
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    bad_input("column '{}' is kept twice: column names must differ", *twice);
}

RegionsSeen write_predictions(const Model& model, TableSource& source, const PredictionForm& asked,
                              PredictOptions options, std::ostream& out, const RowProgress& progress) {
  asked.check();
  const PredictionForm form = settled(asked);
  options.samples = form.draws();
  table::CsvWriter csv(out, form.separator);
  RegionsSeen seen{0, std::vector<bool>(form.regions.size()),
                   std::vector<std::pair<double, double>>(model.targets().size(), {INFINITY, -INFINITY})};
  bool begun = false;
  const auto write = [&](const Predictive& samples, const Table& block, std::size_t begin) {
    if (!std::exchange(begun, true)) write_header(form, model, samples.samples(), csv);
    for (std::size_t row = 0; row < samples.rows(); ++row) {
      for (std::size_t i = 0; i < form.keep.size(); ++i) csv.cell(block.kept(begin + row, i));
      for (std::size_t t = 0; t < samples.targets(); ++t)
        write_target(form, samples, row, t, model.digits(t), csv);
      write_regions(form, samples, row, csv, seen);
      csv.end_row();
    }
  };
  predict_blocks(model, source, options, write, progress);
  if (!begun) write_header(form, model, model.predict(model.typical_rows(1), options).samples(), csv);
  csv.finish();
  return seen;
}

}  // namespace mirrorball::model
