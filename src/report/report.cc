#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "model/parts.h"
#include "pages/pages.h"
#include "report/report_json.h"
#include "report/rows.h"

namespace mirrorball {
namespace {

constexpr std::size_t kPicked = 4;  ///< best and worst rows of a target
constexpr std::size_t kWeakSpots = 8;
constexpr std::size_t kFewestDraws = 20;  ///< one in 20 lies below a 90% interval, one above
constexpr double kCollapsed = 1e-3;       ///< of the width of the training rows' central 90%
constexpr std::size_t kMostFans = 120;    ///< features times targets: a page must not grow without end
/// The page holds an empty place for its numbers.
constexpr std::string_view kPlace = "<script type=\"application/json\" id=\"report\">null</script>";
/// Shares of the work, for the bar.
constexpr double kForecastShare = 0.35, kDriverShare = 0.6;

/// Row numbers to look at: with outcomes where there are any.
void choose_rows(const Table& table, const ReportOptions& options, Findings& found) {
  const Model& model = found.model;
  found.data_rows = table.rows();
  std::vector<std::size_t> columns;
  for (const std::string& target : model.targets()) {
    const auto column = table.find(target);
    if (column)
      columns.push_back(*column);
    else
      found.missing_targets.push_back(target);
  }
  std::vector<std::size_t> known;
  for (std::size_t row = 0; row < table.rows() && found.missing_targets.empty(); ++row)
    if (std::none_of(columns.begin(), columns.end(), [&](std::size_t column) {
          return table.type(column) == ColumnType::kNumber && std::isnan(table.number(row, column));
        }))
      known.push_back(row);
  const bool any = !known.empty();
  if (any) found.without_outcome = table.rows() - known.size();
  if (!any && found.missing_targets.empty()) found.missing_targets = model.targets();
  const std::size_t all = any ? known.size() : table.rows();
  found.row_numbers = sampled_rows(all, options.rows, options.seed, 0);
  if (any)
    for (std::size_t& row : found.row_numbers) row = known[row];
}

void add_drift(const Table& table, Findings& found) {
  const std::vector<Feature>& features = found.model.parts().encoder.features();
  std::vector<std::uint8_t> outside(table.rows(), 0);
  for (const Feature& feature : features) {
    found.drift.push_back(drift_of(feature, table, found.model.training_rows()));
    if (found.drift.back().outside() == 0) continue;
    const TrainingColumn training(feature.transform);
    const std::size_t column = table.column(feature.name);
    for (std::size_t row = 0; row < table.rows(); ++row)
      outside[row] |= training.outside(table.number(row, column));
  }
  found.rows_outside = static_cast<std::size_t>(std::count(outside.begin(), outside.end(), 1));
}

void pick_rows(const Forecasts& all, std::size_t t, TargetFindings& target) {
  std::vector<std::size_t> order(all.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all.scored() ? all.at(a, t).crps < all.at(b, t).crps : all.at(a, t).sd < all.at(b, t).sd;
  });
  const std::size_t count = std::min(kPicked, all.rows / 2);
  target.best.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  target.worst.assign(order.rbegin(), order.rbegin() + static_cast<std::ptrdiff_t>(count));
}

TargetFindings judge_target(const Findings& found, std::size_t t) {
  const Forecasts& all = found.forecasts;
  const Model::Parts& parts = found.model.parts();
  const TrainingColumn training(parts.transforms[t]);
  TargetFindings target;
  pick_rows(all, t, target);
  const double narrow = kCollapsed * (training.quantile(0.95) - training.quantile(0.05));
  std::size_t inside = 0;
  for (std::size_t row = 0; row < all.rows; ++row) {
    const RowForecast& one = all.at(row, t);
    if (one.high - one.low >= narrow) continue;
    ++target.collapsed;
    inside += all.scored() && one.low <= all.outcome(row, t) && all.outcome(row, t) <= one.high;
  }
  if (target.collapsed > 0)
    target.collapsed_coverage = static_cast<double>(inside) / static_cast<double>(target.collapsed);
  if (!all.scored()) return target;

  std::vector<double> outcomes(all.rows);
  for (std::size_t row = 0; row < all.rows; ++row) outcomes[row] = all.outcome(row, t);
  const double n = static_cast<double>(all.rows),
               mean = std::accumulate(outcomes.begin(), outcomes.end(), 0.0) / n;
  double variance = 0;
  for (double y : outcomes) {
    variance += (y - mean) * (y - mean) / n;
    target.outside += training.outside(y);
  }
  const TargetScores& scores = all.scores.targets[t];
  target.quantiles = training_quantiles(training, outcomes, report_coverages());
  target.mean = training_mean(training, outcomes);
  target.skill = skill(scores.crps.mean, target.quantiles.crps);
  target.explained = skill(scores.rmse * scores.rmse, variance);
  target.reliable = reliability(all, t);
  target.weak = weak_spots(all, t, found.table, parts.encoder.features(), kWeakSpots);
  return target;
}

/// All features, or the most important ones where the page would grow too large.
std::vector<std::size_t> features_to_draw(const Findings& found) {
  const std::size_t features = found.drift.size(), targets = found.model.targets().size();
  std::vector<std::size_t> order(features);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (features * targets <= kMostFans) return order;
  const auto weight = [&](std::size_t f) {
    double sum = 0;
    for (std::size_t t = 0; t < targets && !found.drivers.mean.empty(); ++t) {
      const TrainingColumn training(found.model.parts().transforms[t]);
      if (training.sd() > 0) sum += found.drivers.of_mean(t, f).size / training.sd();
    }
    return sum;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  order.resize(std::max<std::size_t>(1, kMostFans / targets));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Report make_report(const Model& model, const Table& table, const ReportOptions& options) {
  if (table.rows() == 0)
    bad_input("{} has no rows: a report needs at least 1",
              table.source().empty() ? "the table" : table.source());
  if (options.rows == 0) bad_input("0 rows are to be looked at: at least 1 is needed");
  if (options.samples < kFewestDraws)
    bad_input("{} draws of a row are too few for its 90% interval: a report needs at least {}",
              options.samples, kFewestDraws);
  model.parts().encoder.bind(table);  // complains about columns that are missing or mistyped
  const auto tell = [&](double share, const char* doing) {
    if (options.progress) options.progress(share, doing);
  };
  Findings found(model);
  choose_rows(table, options, found);
  found.table = select_rows(model, table, found.row_numbers);
  add_drift(table, found);
  const PredictOptions draws{options.samples, options.seed, options.threads};
  found.forecasts = forecast_all(
      model, found.table, found.missing_targets.empty() ? model.observed(found.table) : std::vector<double>(),
      draws, [&](double share) { tell(kForecastShare * share, "predicting"); });
  for (std::size_t t = 0; t < model.targets().size(); ++t) found.targets.push_back(judge_target(found, t));
  if (options.explained > 0) {
    DriverOptions ask;
    ask.rows = options.explained;
    ask.draws.seed = options.seed;
    ask.draws.threads = options.threads;
    ask.progress = [&](double share) { tell(kForecastShare + kDriverShare * share, "explaining"); };
    found.drivers = drivers(model, found.table, ask);
  }
  found.fan_features = features_to_draw(found);
  found.fans = fans(model, found.fan_features, draws);
  Report report;
  report.summary = summary(found);
  report.warnings = warnings(found);
  report.json = report_json(found, report, options);
  tell(1, "writing");
  return report;
}

bool has_report_page() { return report_page().find(kPlace) != std::string_view::npos; }

std::string report_html(const Report& report) {
  const std::string_view page = report_page();
  const std::size_t at = page.find(kPlace);
  if (at == page.npos)
    system_failure(
        "this program was built without its pages: build it with `make`, which needs Node and npm, or write "
        "the numbers alone with --json");
  const std::size_t null = at + kPlace.find("null");
  std::string text(page.substr(0, null));
  text.reserve(page.size() + report.json.size() + 64);
  for (char c : report.json) c == '<' ? text += "\\u003c" : text += c;  // no cell can end the script
  text += page.substr(null + 4);
  return text;
}

}  // namespace mirrorball
