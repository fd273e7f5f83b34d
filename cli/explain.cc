#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/grouped.h"
#include "mirrorball/mirrorball.h"
#include "model_table.h"
#include "output.h"
#include "progress_bar.h"
#include "run_flags.h"
#include "table/cells.h"
#include "verbs.h"

namespace mirrorball::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainFlags {
  std::string model, data, background, row, of = "mean", target, out;
  std::optional<std::string> where;
  std::size_t samples = kSummarySamples, background_rows = 100, coalitions = 0, top = 20;
  bool uncalibrated = false, json = false;
  RunFlags run;
};

struct RowRange {
  std::size_t begin, end;
};

/// "3,17,20:25" → 3 to 4, 17 to 18, 20 to 25.
std::vector<RowRange> row_ranges(const std::string& text) {
  const auto number = [&text](std::string_view part) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (part.empty() || error != std::errc() || end != part.data() + part.size())
      bad_input("--row {}: '{}' is not a row number; the first row is 0, and 3,7 or 10:20 are several", text,
                part);
    return value;
  };
  std::vector<RowRange> ranges;
  for (std::size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find(',', at), text.size());
    const std::string_view part = std::string_view(text).substr(at, end - at);
    const std::size_t colon = part.find(':'), first = number(part.substr(0, colon));
    const std::size_t last = colon == part.npos ? first + 1 : number(part.substr(colon + 1));
    if (first >= last)
      bad_input("--row {}: {} has no rows: {}:{} would be one", text, part, first, first + 1);
    ranges.push_back({first, last});
  }
  return ranges;
}

/// The numbers of rows that the table has: checked before a list of them is made.
std::vector<std::size_t> rows_of(const std::vector<RowRange>& ranges, const Table& table) {
  std::vector<std::size_t> rows;
  for (const auto& [begin, end] : ranges) {
    if (end > table.rows())
      bad_input("row {} was asked for, but {} has {} rows, the first of which is 0",
                std::max(begin, table.rows()), table.source(), table.rows());
    for (std::size_t row = begin; row < end; ++row) rows.push_back(row);
  }
  return rows;
}

std::string in_words(const ExplainOptions& options, const std::string& target) {
  switch (options.of.kind) {
    case Functional::Kind::kMean:
      return "mean of " + target;
    case Functional::Kind::kSd:
      return "standard deviation of " + target;
    case Functional::Kind::kQuantile:
      return fmt::format("{:.6g}% quantile of {}", 100 * options.of.level, target);
    case Functional::Kind::kWidth:
      return fmt::format("width of the {:.6g}% interval of {}", 100 * options.of.level, target);
    case Functional::Kind::kRegion:
      return "probability of " + options.where.text();
  }
  return {};
}

/// Characters, as they stand on a terminal.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Cut to `most` characters, and filled up to `least`.
std::string fitted(std::string text, std::size_t least, std::size_t most) {
  while (length(text) > most) {
    while ((text.back() & 0xC0) == 0x80) text.pop_back();
    text.pop_back();
    if (length(text) == most - 1) return text + "…";
  }
  return text + std::string(least - std::min(least, length(text)), ' ');
}

constexpr std::size_t kWidest = 28, kBar = 12;

/// To the right where it is positive, to the left where it is negative.
std::string bar(double value, double largest) {
  const auto cells =
      largest > 0 ? static_cast<std::size_t>(std::lround(std::abs(value) / largest * kBar)) : 0;
  std::string blocks;
  for (std::size_t i = 0; i < cells; ++i) blocks += "█";
  return value < 0 ? std::string(kBar - cells, ' ') + blocks + "│" : std::string(kBar, ' ') + "│" + blocks;
}

/// Contributions and what they add up to have as many decimals as give the largest one four digits.
class Decimals {
 public:
  explicit Decimals(double largest)
      : places_(largest > 0 ? 3 - static_cast<int>(std::floor(std::log10(largest))) : 4) {}
  std::string operator()(double value, bool sign) const {
    const std::string text =
        places_ > 9 ? fmt::format("{:.7g}", value) : fmt::format("{:.{}f}", value, std::max(places_, 0));
    return sign && value >= 0 ? "+" + text : text;
  }

 private:
  int places_;
};

std::string row_text(const Explanation& found, std::size_t i, std::size_t top) {
  const std::size_t features = found.features.size();
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(found.value(i, a)) > std::abs(found.value(i, b));
  });
  const std::size_t shown = std::min(top, features);
  std::size_t names = 8, cells = 5;
  for (std::size_t k = 0; k < shown; ++k) {
    names = std::max(names, std::min(kWidest, length(found.features[order[k]])));
    cells = std::max(cells, std::min(kWidest, length(found.cell(i, order[k]))));
  }
  const auto line = [&](const std::string& name, const std::string& cell, const std::string& value,
                        const std::string& more) {
    return fmt::format("  {}  {}  {:>12}{}\n", fitted(name, names, kWidest), fitted(cell, cells, kWidest),
                       value, more);
  };
  std::string text = line("feature", "value", "contribution", "");
  const double largest = features > 0 ? std::abs(found.value(i, order[0])) : 0;
  const Decimals number(largest);
  for (std::size_t k = 0; k < shown; ++k) {
    const std::size_t f = order[k];
    text += line(found.features[f], found.cell(i, f).empty() ? "(gap)" : found.cell(i, f),
                 number(found.value(i, f), true), "  " + bar(found.value(i, f), largest));
  }
  if (shown < features) {
    double rest = 0;
    for (std::size_t k = shown; k < features; ++k) rest += found.value(i, order[k]);
    text += line(fmt::format("{} others", features - shown), "", number(rest, true), "");
  }
  text += line("base", "", number(found.base[i], false), "");
  text += line("this row", "", number(found.output[i], false), "  base and contributions together");
  return text;
}

std::string explanation_text(const Explanation& found, const ExplainOptions& options,
                             const ExplainFlags& flags) {
  const std::string& other = flags.background.empty() ? flags.data : flags.background;
  std::string text =
      fmt::format("{}, {} draws, against {} rows of {}\n", in_words(options, found.target), found.samples,
                  found.background.size(), other == "-" ? "standard input" : other);
  if (!found.exact)
    text +=
        fmt::format("{} sets of features were sampled: values are estimates\n", grouped(found.coalitions));
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    text += fmt::format("\nrow {}", found.rows[i]);
    if (!options.where.everything() && options.of.kind != Functional::Kind::kRegion)
      text +=
          fmt::format(", the {:.4g}% of its draws with {}", 100 * found.probability[i], options.where.text());
    text += "\n" + row_text(found, i, flags.top);
  }
  return text;
}

/// Numbers as numbers, levels and dates as text, gaps as null.
Json cell_json(const Table& table, const Explanation& found, std::size_t i, std::size_t feature) {
  const std::string& cell = found.cell(i, feature);
  if (cell.empty()) return {};
  double number = 0;
  const bool is_number = table.type(table.column(found.features[feature])) == ColumnType::kNumber &&
                         table::classify(cell, number) == table::CellKind::kNumber;
  return is_number ? Json(number) : Json(cell);
}

std::string explanation_json(const Explanation& found, const ExplainOptions& options, const Table& table) {
  Json json = {{"of", options.of.text()}};
  if (!found.target.empty()) json["target"] = found.target;
  if (!options.where.everything()) json["where"] = options.where.text();
  json["samples"] = found.samples;
  json["background"] = found.background;
  json["coalitions"] = found.coalitions;
  json["exact"] = found.exact;
  json["features"] = found.features;
  json["rows"] = Json::array();
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const auto first = found.values.begin() + static_cast<std::ptrdiff_t>(i * found.features.size());
    Json data = Json::array();
    for (std::size_t f = 0; f < found.features.size(); ++f) data.push_back(cell_json(table, found, i, f));
    Json row = {{"row", found.rows[i]}, {"base", found.base[i]}, {"output", found.output[i]}};
    if (!options.where.everything()) row["probability"] = found.probability[i];
    row["values"] = std::vector<double>(first, first + static_cast<std::ptrdiff_t>(found.features.size()));
    row["data"] = std::move(data);
    json["rows"].push_back(std::move(row));
  }
  return json.dump() + "\n";
}

void run_explain(const ExplainFlags& flags) {
  const std::vector<RowRange> ranges = row_ranges(flags.row);
  check_spares(flags.out, {flags.model, flags.data, flags.background});
  ExplainOptions options;
  options.of = Functional::parse(flags.of);
  const Model model = Model::load(flags.model);
  options.target = flags.target;
  if (flags.where) options.where = Region::parse(*flags.where, model.targets());
  options.draws = {flags.samples, flags.run.seed, flags.run.threads, !flags.uncalibrated};
  options.background_rows = flags.background_rows;
  options.coalitions = flags.coalitions;

  const Table table = table_for(model, flags.data, false, flags.run.threads);
  const std::vector<std::size_t> rows = rows_of(ranges, table);
  std::optional<Table> others;
  if (!flags.background.empty()) {
    others = table_for(model, flags.background, false, flags.run.threads);
  } else if (table.rows() == 1) {
    bad_input("{} has 1 row, and nothing to compare it with: name a table of other rows with --background",
              table.source());
  }
  ProgressBar progress;
  options.progress = [&](double share) {
    progress.show(share,
                  rows.size() == 1 ? "explained" : fmt::format("of {} rows explained", grouped(rows.size())));
  };
  const Explanation found = explain(model, table, rows, others ? *others : table, options);
  progress.clear();
  write_result(flags.out, [&](std::ostream& out) {
    out << (flags.json ? explanation_json(found, options, table) : explanation_text(found, options, flags));
  });
}

}  // namespace

void add_explain(CLI::App& app) {
  auto flags = std::make_shared<ExplainFlags>();
  CLI::App* verb =
      app.add_subcommand("explain", "Tell what the features contribute to the forecast of a row");
  verb->footer(
      "Shapley values: how the row's cells lead from the mean over other rows (base) to this row's "
      "forecast.\n"
      "--of is mean, sd, median, quantile:P, width:C (of the central interval) or region (the probability "
      "of\n"
      "--where). With --where, the others are of the draws that lie in that region of the targets.");
  verb->add_option("model", flags->model, "Model file")->required();
  verb->add_option("data", flags->data, "Table with the model's features; - is standard input")->required();
  verb->add_option("--row", flags->row, "Row to explain, the first is 0; several as 3,17 or 10:20")
      ->required()
      ->type_name("I");
  verb->add_option("--where", flags->where, "Region of the targets, as \"y2 > 0.2 and y1 <= 3\"")
      ->type_name("REGION");
  verb->add_option("--of", flags->of, "What is explained [mean]")->type_name("WHAT");
  verb->add_option("--target", flags->target,
                   "Whose draws, where the model has several targets [the one that --where is about]")
      ->type_name("NAME");
  verb->add_option("--background", flags->background, "Table of rows to compare with [DATA itself]")
      ->type_name("FILE");
  verb->add_option("--background-rows", flags->background_rows, "Rows of it to take, at random [100]")
      ->type_name("N")
      ->check(count_up_to(10000));
  verb->add_option("--samples", flags->samples, fmt::format("Samples per row [{}]", flags->samples))
      ->type_name("M")
      ->check(count_up_to(1000000));
  verb->add_option("--coalitions", flags->coalitions,
                   "Sets of features to ask for, beyond 12 features [2 per feature + 2048]")
      ->type_name("N")
      ->check(count_up_to(10000000));
  verb->add_flag("--uncalibrated", flags->uncalibrated,
                 "The networks' own draws, without calibration and forest");
  verb->add_option("--top", flags->top, "Features to list [20]")->type_name("N")->check(count_up_to(1000000));
  flags->run.add_seed(*verb, "draws, background and sets");
  flags->run.add_threads(*verb);
  verb->add_flag("--json", flags->json, "Write JSON, in one line");
  verb->add_option("--out", flags->out, "File for the result instead of standard output")->type_name("FILE");
  verb->callback([flags] { run_explain(*flags); });
}

}  // namespace mirrorball::cli
