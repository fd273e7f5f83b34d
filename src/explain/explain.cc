#include "mirrorball/explain.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/sample_rows.h"
#include "base/suggest.h"
#include "explain/composites.h"
#include "explain/cost.h"
#include "explain/question.h"
#include "explain/set_values.h"
#include "model/row_sampler.h"
#include "predictive/block_rows.h"
#include "table/instant.h"

namespace mirrorball {
namespace {

/// Background rows have 16 bits in a composite row's key.
constexpr std::size_t kMostBackground = 10000;

/// Which target the functional is of; 0 for a region's probability, which is of all of them.
std::size_t target_of(const Model& model, const ExplainOptions& options) {
  const std::vector<std::string>& targets = model.targets();
  if (options.of.kind == Functional::Kind::kRegion) {
    if (options.where.everything())
      bad_input("a region's probability is to be explained, but no region is given: name one, as {} > 0.5",
                targets.front());
    if (!options.target.empty())
      bad_input("a region's probability is of all targets together: leave the target '{}' out",
                options.target);
    return 0;
  }
  if (options.target.empty() && targets.size() > 1) {
    if (const std::optional<std::size_t> only = options.where.only_target()) return *only;
    bad_input("the model has {} targets ({}): name the one to be explained as the target", targets.size(),
              listing(targets));
  }
  const auto found =
      options.target.empty() ? targets.begin() : std::find(targets.begin(), targets.end(), options.target);
  if (found == targets.end())
    bad_input("the model has no target '{}' among {}{}", options.target, listing(targets),
              did_you_mean(options.target, targets));
  return static_cast<std::size_t>(found - targets.begin());
}

void check(const Table& table, std::span<const std::size_t> rows, const Table& background,
           const ExplainOptions& options) {
  const auto name = [](const Table& one) { return one.source().empty() ? "the table" : one.source(); };
  if (rows.empty()) bad_input("no rows to explain were named");
  for (std::size_t row : rows)
    if (row >= table.rows())
      bad_input("row {} was asked for, but {} has {} rows, the first of which is 0", row, name(table),
                table.rows());
  if (background.rows() == 0) bad_input("the background has no rows: at least 1 is needed");
  if (options.background_rows < 1 || options.background_rows > kMostBackground)
    bad_input("{} background rows were asked for: 1 to {} can be taken", options.background_rows,
              kMostBackground);
}

std::string number_text(const ColumnSchema& feature, double value) {
  if (std::isnan(value)) return {};
  if (feature.dates) return table::instant_text(value, feature.span());
  const auto single = static_cast<float>(value);  // nearly every cell is one, and has few digits
  return static_cast<double>(single) == value ? fmt::format("{}", single) : fmt::format("{:.10g}", value);
}

/// What stands in the features' columns of a row.
void add_cells(const Schema& schema, const Table& table, std::size_t row, Explanation& to) {
  for (const ColumnSchema& feature : schema.features) {
    const std::size_t column = table.column(feature.name);
    if (table.type(column) == ColumnType::kNumber) {
      to.cells.push_back(number_text(feature, table.number(row, column)));
    } else {
      const std::int32_t code = table.code(row, column);
      to.cells.push_back(code == Table::kMissing ? ""
                                                 : table.categories(column)[static_cast<std::size_t>(code)]);
    }
  }
}

[[noreturn]] void refuse_empty(std::size_t row, const Region& where, const Predictive& at_x) {
  std::string ranges;
  for (std::size_t t = 0; t < at_x.targets(); ++t) {
    const auto [low, high] = std::minmax_element(at_x.draws(0, t).begin(), at_x.draws(0, t).end());
    ranges +=
        fmt::format("{}{} from {:.4g} to {:.4g}", t == 0 ? "" : ", ", at_x.target_names()[t], *low, *high);
  }
  bad_input(
      "row {}: the region {} has probability 0 there (0 of {} draws; {}): widen it, take more draws or "
      "another row",
      row, where.text(), at_x.samples(), ranges);
}

/// Explains one row at a time; the background is shared.
class Explainer {
 public:
  Explainer(const Model& model, const ExplainOptions& options, const rows::EncodedRows& inputs,
            const rows::EncodedRows& background, const model::RowSampler& sampler, ThreadPool& pool)
      : options_(options),
        target_(target_of(model, options)),
        targets_(model.targets().size()),
        inputs_(inputs),
        background_(background),
        pool_(pool),
        sampler_(sampler) {}

  /// Adds row `i` of the inputs to what is known.
  void explain(std::size_t i, Explanation& to) {
    shap::Composites composites(sampler_.features(), inputs_, i, background_);
    const std::size_t players = composites.varying().size();
    // The first composite row is x itself.
    composites.number(std::vector<std::uint8_t>(players, 1), 0);
    const Predictive at_x = sampler_.sample(composites.take_new());
    const shap::Question f(options_, target_, at_x);
    if (f.kept() == 0 && f.least() > 0) refuse_empty(to.rows[i], options_.where, at_x);
    if (f.kept() < f.least())
      bad_input("row {}: a spread is to be explained, and 1 of {} draws lies in the region: take more draws",
                to.rows[i], at_x.samples());

    const shap::Coalitions coalitions =
        shap::choose_coalitions(players, coalitions_for(players), options_.draws.seed);
    const auto report = [&](double share) {
      if (options_.progress)
        options_.progress((static_cast<double>(i) + share) / static_cast<double>(to.rows.size()));
    };
    shap::Answers answers{.kinds = 1,
                          .values = {f(at_x, 0)},
                          .ask = [&](const rows::EncodedRows& rows, double* out) { answer(f, rows, out); }};
    const std::vector<double> worth = shap::set_values(
        coalitions, background_.rows, predictive::block_rows(options_.draws.samples, targets_), composites,
        answers, report);
    const std::vector<double> shapley = shap::shapley_values(coalitions, worth);
    for (std::size_t k = 0; k < players; ++k)
      to.values[i * to.features.size() + composites.varying()[k]] = shapley[k];
    to.base.push_back(worth.front());
    to.output.push_back(worth.back());
    to.probability.push_back(f.probability());
    to.samples = at_x.samples();
    to.coalitions = std::max(to.coalitions, coalitions.size());
    to.exact = to.exact && coalitions.exact;
  }

 private:
  std::size_t coalitions_for(std::size_t players) const {
    const std::size_t most = shap::most_coalitions(players, options_.coalitions);
    if (most < 2 * players + 2)
      bad_input(
          "{} coalitions were asked for, but {} features differ from the background: at least {} are needed",
          most, players, 2 * players + 2);
    return most;
  }

  /// f of the rows, in order.
  void answer(const shap::Question& f, const rows::EncodedRows& rows, double* out) {
    const Predictive draws = sampler_.sample(rows, f.only());
    constexpr std::size_t kTask = 16;
    pool_.run((rows.rows + kTask - 1) / kTask, [&](std::size_t task, unsigned) {
      for (std::size_t row = task * kTask; row < std::min(rows.rows, (task + 1) * kTask); ++row)
        out[row] = f(draws, row);
    });
  }

  const ExplainOptions& options_;
  std::size_t target_, targets_;
  const rows::EncodedRows& inputs_;
  const rows::EncodedRows& background_;
  ThreadPool& pool_;
  const model::RowSampler& sampler_;
};

}  // namespace

Explanation explain(const Model& model, const Table& table, std::span<const std::size_t> rows,
                    const Table& background, const ExplainOptions& options) {
  check(table, rows, background, options);
  Explanation result;
  result.features = model.features();
  if (options.of.kind != Functional::Kind::kRegion)
    result.target = model.targets()[target_of(model, options)];
  result.rows.assign(rows.begin(), rows.end());
  result.values.assign(rows.size() * result.features.size(), 0.0);
  result.background = sample_rows(background.rows(), options.background_rows,
                                  Stream(options.draws.seed, Purpose::kExplain, 0));
  ThreadPool pool(options.draws.threads);
  const model::RowSampler sampler(model, options.draws, pool);
  const rows::EncodedRows inputs = sampler.encode(table, rows),
                          others = sampler.encode(background, result.background);
  for (std::size_t row : rows) add_cells(model.schema(), table, row, result);
  Explainer explainer(model, options, inputs, others, sampler, pool);
  for (std::size_t i = 0; i < rows.size(); ++i) explainer.explain(i, result);
  return result;
}

}  // namespace mirrorball
