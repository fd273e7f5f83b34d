#include <algorithm>

#include "base/error.h"
#include "explain/cell_text.h"
#include "explain/checks.h"
#include "explain/question.h"
#include "explain/row_explainer.h"
#include "mirrorball/explain.h"
#include "predictive/block_rows.h"

namespace mirrorball {

struct ExplainBackground::Parts {
  const Model& model;
  PredictOptions predict;
  mutable model::NoiseCache noise;
  std::optional<shap::Background> rows;

  Parts(const Model& of, const PredictOptions& with) : model(of), predict(with) {}
  model::RowSampler sampler(ThreadPool& pool) const { return {model, predict, pool, &noise}; }
};

ExplainBackground::ExplainBackground(const Model& model, const Table& table, const PredictOptions& predict,
                                     std::size_t rows) {
  shap::check_background(table, rows);
  auto parts = std::make_unique<Parts>(model, predict);
  ThreadPool pool(predict.threads);
  parts->rows.emplace(table, rows, parts->predict, parts->sampler(pool));
  parts_ = std::move(parts);
}

ExplainBackground::~ExplainBackground() = default;

struct ProgressiveExplanation::State {
  std::shared_ptr<const ExplainBackground> background;
  ExplainOptions options;
  Explanation known;  ///< all but the numbers
  rows::EncodedRows inputs;
  std::optional<shap::Question> question;
  std::optional<shap::RowExplainer> explainer;

  const ExplainBackground::Parts& parts() const { return *background->parts_; }
};
namespace {

void check_kept(const shap::Question& f, const ExplainOptions& options, std::size_t row,
                const Predictive& at_x) {
  if (f.kept() == 0 && f.least() > 0) shap::refuse_empty(row, options.where, at_x);
  if (f.kept() < f.least())
    bad_input(
        "row {}: only 1 of {} samples lies in the region, too few to explain a spread: use more samples", row,
        at_x.samples());
}

/// The answers at the explained row and at the background rows.
shap::Asked asked(const shap::Question& f, const Predictive& at_x, const shap::Background& background,
                  const model::RowSampler& sampler, ThreadPool& pool) {
  shap::Asked result{1, std::vector<double>(1), std::vector<double>(background.rows().size())};
  f.answer(at_x, pool, result.at_x.data());
  background.visit(sampler, [&](const Predictive& forecast, std::size_t first) {
    f.answer(forecast, pool, result.at_background.data() + first);
  });
  return result;
}

}  // namespace

ProgressiveExplanation::ProgressiveExplanation(std::shared_ptr<const ExplainBackground> background,
                                               const Table& table, std::size_t row,
                                               const ExplainOptions& options)
    : state_(std::make_unique<State>()) {
  State& own = *state_;
  own.background = std::move(background);
  own.options = options;
  const ExplainBackground::Parts& parts = own.parts();
  const Model& model = parts.model;
  shap::check_rows(table, std::span(&row, 1));
  const std::size_t target = shap::target_of(model, options);

  ThreadPool pool(parts.predict.threads);
  const model::RowSampler sampler = parts.sampler(pool);
  own.inputs = sampler.encode(table, std::span(&row, 1));
  const Predictive at_x = sampler.sample(own.inputs);
  own.question.emplace(own.options, target, at_x);
  check_kept(*own.question, options, row, at_x);
  own.explainer.emplace(
      sampler.features(), own.inputs, 0, parts.rows->rows(),
      asked(*own.question, at_x, *parts.rows, sampler, pool),
      shap::RowPlan{options.background_rows, options.coalitions,
                    predictive::block_rows(parts.predict.samples, sampler.targets()), parts.predict.seed});

  own.known.features = model.features();
  if (own.question->only()) own.known.target = model.targets()[target];
  own.known.rows = {row};
  own.known.base = {own.explainer->base(0)};
  own.known.output = {own.explainer->output(0)};
  own.known.cells = shap::cell_texts(model.schema(), table, row);
  own.known.probability = {own.question->probability()};
  own.known.base_rows = parts.rows->rows().size();
  own.known.samples = at_x.samples();
}

ProgressiveExplanation::~ProgressiveExplanation() = default;
ProgressiveExplanation::ProgressiveExplanation(ProgressiveExplanation&&) noexcept = default;

void ProgressiveExplanation::refine(std::size_t rows) {
  State& own = *state_;
  ThreadPool pool(own.parts().predict.threads);
  const model::RowSampler sampler = own.parts().sampler(pool);
  const auto ask = [&](const rows::EncodedRows& made, double* out) {
    own.question->answer(sampler.sample(made, own.question->only()), pool, out);
  };
  const auto all =
      static_cast<double>(std::min(own.options.background_rows, own.parts().rows->rows().size()));
  own.explainer->refine(rows, ask, [&](double taken) {
    if (own.options.progress) own.options.progress(taken / all);
  });
}

std::size_t ProgressiveExplanation::background_rows() const { return state_->explainer->taken(); }

bool ProgressiveExplanation::complete() const { return state_->explainer->complete(); }

Explanation ProgressiveExplanation::explanation() const {
  const shap::RowExplainer& explainer = *state_->explainer;
  if (explainer.taken() == 0) bad_input("no background row was taken yet: call refine first");
  Explanation result = state_->known;
  shap::Estimate found = explainer.estimate(0);
  result.values = std::move(found.values);
  result.errors = std::move(found.errors);
  const std::vector<std::size_t>& rows = state_->parts().rows->rows().rows;
  result.background.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(explainer.taken()));
  std::sort(result.background.begin(), result.background.end());
  result.coalitions = explainer.most_sets();
  result.exact = explainer.all_sets();
  return result;
}

}  // namespace mirrorball
